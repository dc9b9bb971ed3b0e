#!/bin/sh
# Starts {label} with its runfiles only: no site-packages, no user site, no PYTHON* variables (-I -S).
bootstrap={bootstrap}
runfiles=
manifest=

# A folder is the runfiles tree if it holds the main file and what starts it.
try_tree() {
  [ -z "$runfiles" ] && [ -n "$1" ] && [ -e "$1/$bootstrap" ] && [ -e "$1/{main}" ] || return 0
  case $1 in /*) runfiles=$1 ;; *) runfiles=$PWD/$1 ;; esac
}

try_manifest() {
  [ -z "$runfiles$manifest" ] && [ -n "$1" ] && [ -e "$1" ] || return 0
  start=$(sed -n "s|^$bootstrap ||p" "$1")
  [ -z "$start" ] || manifest=$1
}

self=$0
case $self in /*) ;; *) self=$PWD/$self ;; esac
try_tree "$self.runfiles"
case $self in *.runfiles/*) try_tree "${self%.runfiles/*}.runfiles" ;; esac
try_tree "${RUNFILES_DIR:-}"
try_tree "${TEST_SRCDIR:-}"
try_manifest "$self.runfiles_manifest"
try_manifest "$self.runfiles/MANIFEST"
try_manifest "${RUNFILES_MANIFEST_FILE:-}"
while [ -z "$runfiles$manifest" ] && [ -L "$self" ]; do
  target=$(readlink "$self")
  case $target in /*) self=$target ;; *) self=${self%/*}/$target ;; esac
  try_tree "$self.runfiles"
  try_manifest "$self.runfiles_manifest"
done
if [ -n "$runfiles" ]; then
  start=$runfiles/$bootstrap
elif [ -z "$manifest" ]; then
  echo "{label}: no runfiles tree and no runfiles manifest beside $self" >&2
  exit 1
fi
exec "{python}" -I -S -B -X utf8 "$start" "$runfiles" "$manifest" "{main}" "{imports}" "$@"
