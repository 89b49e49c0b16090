#!/bin/sh
# make run: watch the JACK server that is running. When there is none, start a private one with the dummy driver and a
# small load, say so, and stop both at the end.
# usage: run.sh JACKPROBE [options of jackprobe watch]
set -eu
probe=$1
shift

if [ "$(jack_wait -c 2>/dev/null)" = running ]; then
	exec "$probe" "$@"
fi
if [ -S "${PIPEWIRE_RUNTIME_DIR:-${XDG_RUNTIME_DIR:-/run/user/$(id -u)}}/${PIPEWIRE_REMOTE:-pipewire-0}" ] && command -v pw-jack >/dev/null; then
	echo "make run: PipeWire is running: watching its graph"
	exec pw-jack "$probe" "$@"
fi

JACK_DEFAULT_SERVER=jackprobe-run-$$
export JACK_DEFAULT_SERVER
scratch=$(mktemp -d)
log=$scratch/log
server= load=

# In sessions of their own, so that Ctrl-C reaches the probe alone and it can leave an orderly graph.
finish() {
	trap '' INT TERM
	[ -z "$load" ] || { kill "$load" 2>/dev/null && wait "$load" || true; }
	[ -z "$server" ] || { kill "$server" 2>/dev/null && wait "$server" || true; }
	echo "make run: stopped the load and the private server"
	rm -rf "$scratch"
}
trap finish EXIT
trap : INT TERM

realtime=-r
if chrt -f 10 true 2>/dev/null; then realtime=-R; fi
setsid jackd -n "$JACK_DEFAULT_SERVER" $realtime -d dummy -r 48000 -p 128 >"$log" 2>&1 &
server=$!
if ! jack_wait -s "$JACK_DEFAULT_SERVER" -w -t 10 >/dev/null 2>&1; then
	echo "make run: the private JACK server did not start; it said:" >&2
	cat "$log" >&2
	exit 1
fi
echo "make run: no JACK server is running: started a private one (dummy driver, 48000 Hz, 128 frames) with 4 synthetic clients, one of which (load-2) is made to run late every 8 s"
# The load tells in one line when all its clients run; that it ends at the start is told by itself.
mkfifo "$scratch/said"
setsid "$probe" load --clients 4 --shape layers --burn 100 --spike 3000:3500 >"$scratch/said" &
load=$!
exec 3<"$scratch/said"
read -r said <&3 || exit 1
status=0
"$probe" "$@" 3<&- || status=$?
exit $status
