#!/bin/sh
# Runs a command with no network and no C or C++ compiler: `tests/build/sealed.sh COMMAND [ARGUMENT...]`.
# It gets a network namespace whose only interface is the loopback one, by which Bazel's client and server
# talk, and a file system in which compilers and linkers of the machine cannot be run. All its processes end with it.
set -eu

fail() {
  echo "sealed.sh: $*" >&2
  exit 1
}

# Every program of the machine that compiles or links, one path a line.
compilers() {
  echo "$PATH:/bin:/usr/bin:/usr/local/bin" | tr : '\n' | sort -u | while read -r folder; do
    find -H "$folder" -maxdepth 1 ! -type d 2>/dev/null
  done | grep -E '/([^/]*-)?(cc|c\+\+|c89|c99|cpp|gcc|g\+\+|clang|clang\+\+|clang-cpp|tcc|ld|ld\.(bfd|gold|lld)|lld|gold|as)(-[0-9.]+)?$' || :
}

if [ "${1:-}" != --inside ]; then
  [ $# -gt 0 ] || fail "no command is given"
  user=
  [ "$(id -u)" = 0 ] || user="--user --map-root-user"
  # shellcheck disable=SC2086
  unshare $user --net --mount --pid --fork --kill-child --mount-proc true ||
    fail "this machine forbids namespaces (unshare --net --mount --pid), so that nothing can be proven on it"
  # shellcheck disable=SC2086
  exec unshare $user --net --mount --pid --fork --kill-child --mount-proc "$0" --inside "$@"
fi
shift

# iproute2 is not on every machine; Python is.
python3 -I - <<'PYTHON'
import fcntl, socket, struct
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
    request = fcntl.ioctl(control, SIOCGIFFLAGS, struct.pack("16sh14x", b"lo", 0))
    fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", struct.unpack_from("h", request, 16)[0] | IFF_UP))
PYTHON
interfaces=$(sed -n 's/^ *\([^ :|]*\):.*/\1/p' /proc/net/dev)
[ "$interfaces" = lo ] || fail "there is a network: $interfaces"

for program in $(compilers); do
  mount --bind /dev/null "$program"
done
for program in $(compilers); do
  if [ -x "$program" ]; then fail "$program can still be run"; fi
done
exec "$@"
