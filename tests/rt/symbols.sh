#!/bin/sh
# symbols.sh ALLOWED OBJECT...
# Objects of callbacks may refer to the symbols listed in ALLOWED (one a line, `#` starts a comment) and to each other's.
set -eu
allowed=$1
shift
bad=$({
	sed 's/#.*//' "$allowed" | awk 'NF { print "ok", $1 }'
	nm --defined-only "$@" | awk 'NF == 3 { print "ok", $3 }'
	nm --undefined-only -A "$@" | awk '{ print "used", $NF, $1 }'
} | awk '$1 == "ok" { ok[$2] = 1 } $1 == "used" { by[$2] = by[$2] " " $3 } END { for (s in by) if (!(s in ok)) print s ":" by[s] }')
[ -z "$bad" ] || {
	echo "not allowed in a callback:" >&2
	echo "$bad" >&2
	exit 1
}
