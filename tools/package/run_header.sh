#!/bin/sh
sha256=@sha256@
set -eu
# The digest covers every byte of this file but those of its line: nothing is done by a damaged one,
# and its exit code is not 0, whichever bit of these lines is wrong.
found=$({ head -n 1 "$0" && tail -n+3 "$0"; } </dev/null | sha256sum | cut -c 1-64)
[ "$found" = "$sha256" ] || { ! echo "${0##*/} is damaged: its sha256 is $found, expected $sha256" >&2; exit 3; }

# A custom operator package: this script, then a tar.gz of what it installs.
vendor=@vendor@
folder=@folder@
payload_line=@payload_line@
# Beside the files: their paths, and the first folder that an installation had to make.
files=scripts/files.txt
record=scripts/first_new_folder

usage() {
  cat <<EOF
${0##*/} [--install-path=PATH] [--quiet]   installs into PATH/vendors/$folder
${0##*/} --uninstall [--install-path=PATH] [--quiet]
${0##*/} --list     prints the paths of what it installs
${0##*/} --check    says whether this file is whole
${0##*/} --help

Without --install-path, PATH is ASCEND_OPP_PATH, else ASCEND_HOME_PATH/opp. An earlier installation of
the vendor is replaced. PATH/vendors/$folder/bin/set_env.bash makes an installation known to programs.
Exit code: 0 done, 1 it cannot be done, 2 the command line is wrong, 3 this file is damaged.
EOF
}

say() { [ -n "$quiet" ] || echo "$1"; }
wrong() { echo "${0##*/}: $1" >&2; exit 2; }
fail() { echo "${0##*/}: $1" >&2; exit 1; }
payload() { tail -n "+$payload_line" "$0" | gzip -dc; }

# vendors/config.ini orders the vendors of a path: load_priority=FIRST,NEXT. It gets $folder in
# front, or nothing of it when $1 is empty; a file of which nothing is left goes.
set_priority() {
  config=$path/vendors/config.ini
  others=$(sed -n 's/^load_priority=//p' "$config" 2>/dev/null | tr ',' '\n' | grep -vx -e "$folder" -e '' | tr '\n' ',' | sed 's/,$//') || :
  lines=$(grep -v '^load_priority=' "$config" 2>/dev/null) || :
  names=$1${others:+${1:+,}$others}
  rm -f "$config"
  [ -z "$names" ] || echo "load_priority=$names" >"$config"
  [ -z "$lines" ] || echo "$lines" >>"$config"
}

# Removes what an installation brought; what others put beside it stays.
remove_files() {
  while IFS= read -r file; do rm -f "$path/vendors/$folder/$file"; done <"$path/vendors/$folder/$files"
  rm -f "$path/vendors/$folder/$record"
  find "$path/vendors/$folder" -depth -type d -exec rmdir {} \; 2>/dev/null || :
}

# Removes empty folders from vendors up to $1.
remove_folders() {
  empty=$path/vendors
  while rmdir "$empty" 2>/dev/null && [ "$empty" != "$1" ]; do empty=${empty%/*}; done
}

install_package() {
  first_new=
  ancestor=$path/vendors
  while [ ! -e "$ancestor" ]; do
    first_new=$ancestor
    ancestor=${ancestor%/*}
  done
  target=$path/vendors/$folder
  if [ -e "$target" ]; then
    [ -f "$target/$record" ] || fail "$target exists, and no such package installed it"
    first_new=$(cat "$target/$record")
  fi
  mkdir -p "$path/vendors" 2>/dev/null || fail "$path/vendors cannot be made"
  staging=$(mktemp -d "$path/vendors/.$folder.XXXXXX" 2>/dev/null) || fail "$path/vendors cannot be written to"
  trap 'rm -rf "$staging"; [ -z "$first_new" ] || remove_folders "$first_new"' EXIT
  payload | tar -xof - -C "$staging" || fail "$path/vendors has no room for the files"
  echo "$first_new" >"$staging/vendors/$folder/$record"
  [ ! -e "$target" ] || remove_files
  [ ! -e "$target" ] || fail "$target holds files that no package installed; move them away"
  mv "$staging/vendors/$folder" "$target"
  set_priority "$folder"
  rm -rf "$staging"
  trap - EXIT
  say "installed in $target; for programs: source $target/bin/set_env.bash"
}

uninstall_package() {
  target=$path/vendors/$folder
  [ -f "$target/$record" ] || fail "vendor '$vendor' is not installed in $path"
  first_new=$(cat "$target/$record")
  remove_files
  set_priority ""
  if [ -e "$target" ]; then
    fail "uninstalled, but for files in $target that no package installed"
  fi
  [ -z "$first_new" ] || remove_folders "$first_new"
  say "uninstalled from $target"
}

action=
path=
quiet=
for argument in "$@"; do
  case $argument in
    --install-path=?*) path=${argument#*=} ;;
    --install-path | --install-path=) wrong "--install-path names no folder: expected --install-path=PATH" ;;
    --list | --check | --uninstall | --help | -h)
      [ -z "$action" ] || wrong "'$argument' cannot go with '$action'"
      action=$argument
      ;;
    --quiet) quiet=1 ;;
    *) wrong "'$argument' is no option: expected --install-path=PATH, --uninstall, --list, --check, --quiet or --help" ;;
  esac
done
case $action in
  --help | -h) usage; exit 0 ;;
  --list) payload | tar -tf -; exit 0 ;;
  --check) say "${0##*/} is whole: sha256 $sha256"; exit 0 ;;
esac
[ -n "$path" ] || path=${ASCEND_OPP_PATH:-${ASCEND_HOME_PATH:+$ASCEND_HOME_PATH/opp}}
[ -n "$path" ] || wrong "no folder to use: expected --install-path=PATH, or ASCEND_OPP_PATH or ASCEND_HOME_PATH in the environment"
case $path in /*) ;; *) path=$PWD/$path ;; esac
path=${path%/}
case $action in
  --uninstall) uninstall_package ;;
  *) install_package ;;
esac
exit 0
