#!/bin/sh
# Starts {label} with its runfiles only: no site-packages, no user site, no PYTHON* variables (-I -S).
self=$0
while [ -L "$self" ] && [ ! -e "$self.runfiles" ]; do
  target=$(readlink "$self")
  case $target in /*) self=$target ;; *) self=${self%/*}/$target ;; esac
done
case $self in /*) ;; *) self=$PWD/$self ;; esac
bootstrap={workspace}/tools/build_defs/py_bootstrap.py
runfiles=
manifest=
for candidate in "$self.runfiles" "${RUNFILES_DIR:-}" "${TEST_SRCDIR:-}" "${self%%.runfiles/*}.runfiles"; do
  if [ -n "$candidate" ] && [ -e "$candidate/$bootstrap" ]; then
    case $candidate in /*) runfiles=$candidate ;; *) runfiles=$PWD/$candidate ;; esac
    break
  fi
done
if [ -n "$runfiles" ]; then
  start=$runfiles/$bootstrap
else
  for candidate in "$self.runfiles_manifest" "$self.runfiles/MANIFEST" "${RUNFILES_MANIFEST_FILE:-}"; do
    if [ -n "$candidate" ] && [ -e "$candidate" ]; then
      manifest=$candidate
      start=$(sed -n "s|^$bootstrap ||p" "$manifest")
      [ -z "$start" ] || break
    fi
  done
  if [ -z "$manifest" ] || [ -z "$start" ]; then
    echo "{label}: no runfiles tree and no runfiles manifest beside $self" >&2
    exit 1
  fi
fi
exec "{python}" -I -S -B -X utf8 "$start" "$runfiles" "$manifest" "{main}" "{imports}" "$@"
