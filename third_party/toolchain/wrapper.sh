#!/bin/sh
# Runs one tool of the zig toolchain; installed as c++, cc and ar in tools/, next to the
# unpacked wheel. It holds no path of the machine, so that its digest is the same everywhere.
set -eu
tool=${0##*/}
here=${0%/*}
sdk=$(readlink -f "$here/../sdk/ziglang")

# zig keeps what it builds once (libc++, compiler-rt, start files) in a cache that all actions
# of one user share. A directory that someone else made is refused: never run another's objects.
cache=${ATTNRES_ZIG_CACHE_DIR:-/tmp/attnres-zig-lib-$(id -u)}
if [ ! -d "$cache" ]; then
  mkdir -p -m 700 "$cache" 2>/dev/null || :
fi
if [ ! -d "$cache" ] || [ ! -O "$cache" ] || [ ! -w "$cache" ]; then
  echo "zig toolchain: the cache directory $cache is not ours or not writable;" \
    "set another with --action_env=ATTNRES_ZIG_CACHE_DIR=DIR --host_action_env=ATTNRES_ZIG_CACHE_DIR=DIR" \
    "--sandbox_writable_path=DIR" >&2
  exit 1
fi
# Object files stay out of it: their dependency lists name the output base that made them. Bazel
# caches objects, so zig's own cache for them dies with the action's folder.
export ZIG_GLOBAL_CACHE_DIR="$cache" ZIG_LOCAL_CACHE_DIR=.zig-cache

# zig writes into the debug information of its own C++ library where that and the action lie. It is
# told of both by names that are the same in every action.
name=.zig-cache/sdk
if [ "$(readlink $name)" != "$sdk" ]; then
  mkdir -p .zig-cache
  ln -sfn "$sdk" $name
fi
export ZIG_LIB_DIR=/proc/self/cwd/$name/lib

if [ "$tool" = ar ]; then
  exec "$sdk/zig" ar "$@"
fi

dependencies=
previous=
for argument in "$@"; do
  if [ "$previous" = -MF ]; then dependencies=$argument; fi
  previous=$argument
done
PWD=/proc/self/cwd "$sdk/zig" "$tool" "$@" -ffile-prefix-map=/proc/self/cwd=. "-ffile-prefix-map=/proc/self/cwd/$name=zig"
if [ -n "$dependencies" ]; then
  # The toolchain's headers are inputs of every action as it is; their paths are of no use in the list, which goes
  # into Bazel's cache with the object.
  sed -i "s|/proc/self/cwd/$name/[^ ]*||g" "$dependencies"
fi
