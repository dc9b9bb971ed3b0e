#!/bin/sh
# Runs an aarch64 program with its arguments: on such a machine as it is, on another under qemu-user with the C library
# of the folder `root` beside this file. ATTNRES_EMULATOR then names the emulator, for tests that its faults would break.
set -eu
if [ "$(uname -m)" = aarch64 ]; then
  exec "$@"
fi
root=$(cd "${0%/*}" && pwd)/root
if [ -e "$root/NOT_INSTALLED" ]; then
  echo "aarch64_linux: $(cat "$root/NOT_INSTALLED")" >&2
  exit 127
fi
for emulator in qemu-aarch64 qemu-aarch64-static; do
  if command -v "$emulator" >/dev/null; then
    ATTNRES_EMULATOR=$emulator exec "$emulator" -L "$root" "$@"
  fi
done
echo "aarch64_linux: this machine is no aarch64 and has no qemu-aarch64; on Debian: apt-get install qemu-user" >&2
exit 127
