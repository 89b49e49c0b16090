#!/bin/sh
# The whole program under the thread sanitizer: callbacks, session, collector, sinks and OSC at work at the same time,
# through xruns, freewheel, new periods and the server's death and return, played by the stand-in for libjack.
# usage: races.sh JACKPROBE FOLDER-OF-THE-STAND-IN
set -eu
probe=$1
fake=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

cat >"$dir/script" <<'SCRIPT'
rate 48000
frames 128
port synth:out out audio
port meter:in in audio
cycles 3000 end_us=800
xrun 0
cycles 50 end_us=4000
port drums:out out midi
cycles 2000 end_us=900
buffer 256
cycles 2000 nframes=256 end_us=900
freewheel on
cycles 3000 nframes=256 step_us=50 end_us=20
freewheel off
cycles 2000 nframes=256 end_us=900
shutdown
down 1
clients 2
cycles 4000 nframes=256 end_us=700
SCRIPT

status=0
FAKE_JACK_SCRIPT=$dir/script LD_LIBRARY_PATH=$fake TSAN_OPTIONS="halt_on_error=0 exitcode=66 log_path=$dir/race" \
	"$probe" --batch --interval 0.2 --duration 4 --osc 127.0.0.1:9 --osc localhost:10 --log "$dir/w.csv" \
	--log "$dir/w.jsonl" --cycles "$dir/c.csv" >"$dir/out" 2>"$dir/err" || status=$?
if [ $status != 0 ] || ls "$dir"/race.* >/dev/null 2>&1; then
	echo "races.sh: status $status" >&2
	cat "$dir"/err "$dir"/race.* >&2 2>/dev/null || true
	exit 1
fi
# It must have been at work, or the silence means nothing.
cycles=$(wc -l <"$dir/c.csv")
[ "$cycles" -gt 5000 ] || { echo "races.sh: only $cycles cycles were seen" >&2; cat "$dir/out" "$dir/err" >&2; exit 1; }
grep -q '"event":"server_back"' "$dir/w.jsonl" || { echo "races.sh: the server did not come back" >&2; exit 1; }
echo "races.sh: no data race in $cycles cycles"
