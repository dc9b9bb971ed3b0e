#!/bin/sh
# Runs one tool of the zig toolchain; installed as c++, cc and ar in tools/, next to the
# unpacked wheel. It holds no path of the machine, so that its digest is the same everywhere.
set -eu
tool=${0##*/}
here=${0%/*}
sdk=$(readlink -f "$here/../sdk/ziglang")

# zig keeps what it builds once (libc++, compiler-rt, start files) in a cache that all actions
# of one user share. A directory that someone else made is refused: never run another's objects.
cache=${ATTNRES_ZIG_CACHE_DIR:-/tmp/attnres-zig-$(id -u)}
if [ ! -d "$cache" ]; then
  mkdir -p -m 700 "$cache" 2>/dev/null || :
fi
if [ ! -d "$cache" ] || [ ! -O "$cache" ] || [ ! -w "$cache" ]; then
  echo "zig toolchain: the cache directory $cache is not ours or not writable;" \
    "set another with --action_env=ATTNRES_ZIG_CACHE_DIR=DIR --host_action_env=ATTNRES_ZIG_CACHE_DIR=DIR" \
    "--sandbox_writable_path=DIR" >&2
  exit 1
fi
export ZIG_GLOBAL_CACHE_DIR="$cache" ZIG_LOCAL_CACHE_DIR="$cache" ZIG_LIB_DIR="$sdk/lib"

case $tool in
  ar) exec "$sdk/zig" ar "$@" ;;
  *) exec "$sdk/zig" "$tool" "$@" "-ffile-prefix-map=$sdk=zig" "-ffile-prefix-map=$PWD=." ;;
esac
