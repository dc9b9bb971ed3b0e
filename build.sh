#!/usr/bin/env bash
# The commands of CANN's operator repositories, over Bazel: `bash build.sh --help`. This script reads
# the command line and calls ./bazelw; docs/packages.md has more. BAZEL_STARTUP holds startup options
# of Bazel, where one needs some.
set -euo pipefail
shopt -s inherit_errexit
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=build_out

usage() {
  cat <<EOF
bash build.sh --pkg [--soc=SOC,...] [--ops=OPERATOR,...] [--vendor_name=NAME] [-jN]
    makes $out/cann-ops-transformer-NAME_linux-CPU.run, a custom operator package
bash build.sh --run_example OPERATOR eager cust [--soc=SOC] [--vendor_name=NAME] [--install-path=PATH]
    builds the operator's examples with g++ (or CXX) against the installed package, and runs them
bash build.sh -u [--ops=OPERATOR,...] [-jN]
    builds and runs the unit tests of the operators
bash build.sh --help

  --soc           ${socs// /, }; all of them unless named. An example runs on one, ascend910b unless named
  --ops           ${operators// /, }; all of them unless named
  --vendor_name   letters, digits and underscores; custom unless named
  --install-path  where the package was installed. Else it is sought in ASCEND_CUSTOM_OPP_PATH, ASCEND_OPP_PATH
                  and ASCEND_HOME_PATH/opp; where none is, one is made and installed for this run alone
  -jN             at most N jobs at a time
Exit code: 0 done, 1 it failed, 2 the command line is wrong.
EOF
}

wrong() {
  echo "build.sh: $1" >&2
  exit 2
}

# Everything there is to name comes from the sources.
operators=$(cd "$root/op_host" && echo */*_def.cpp | sed 's|/[^ ]*||g')
socs=$(sed -n 's/.*AddConfig("\([a-z0-9_]*\)".*/\1/p' "$root"/op_host/*/*_def.cpp | sort -u | tr '\n' ' ')
socs=${socs% }

# check_names FLAG VALUE KNOWN: each of the names in VALUE is among those of KNOWN.
check_names() {
  [[ $2 =~ ^[^,]+(,[^,]+)*$ ]] || wrong "$1 is '$2'; expected names of ${3// /, }, separated by commas"
  local name
  for name in ${2//,/ }; do
    [[ " $3 " == *" $name "* ]] || wrong "$1 has '$name'; expected one of ${3// /, }"
  done
}

# set_action NAME: one of a call.
set_action() {
  [[ -z $action ]] || wrong "'$1' cannot go with '$action'"
  action=$1
}

parse() {
  action='' soc='' ops='' vendor='' install_path='' jobs='' example=''
  while [[ $# -gt 0 ]]; do
    case $1 in
      --help | -h) usage && exit 0 ;;
      --pkg | -u) set_action "$1" ;;
      --run_example)
        set_action "$1"
        [[ $# -ge 4 ]] || wrong "--run_example needs three words: OPERATOR eager cust"
        example=$2
        [[ $3 == eager ]] || wrong "the mode of --run_example is '$3'; expected eager"
        [[ $4 == cust ]] || wrong "the package mode of --run_example is '$4'; expected cust"
        shift 3
        ;;
      --soc=*) soc=${1#*=} && check_names --soc "$soc" "$socs" ;;
      --ops=*) ops=${1#*=} && check_names --ops "$ops" "$operators" ;;
      --vendor_name=*)
        vendor=${1#*=}
        [[ $vendor =~ ^[A-Za-z0-9_]+$ ]] || wrong "--vendor_name is '$vendor'; expected letters, digits and underscores"
        ;;
      --install-path=*)
        install_path=${1#*=}
        [[ -n $install_path ]] || wrong "--install-path names no folder; expected --install-path=PATH"
        ;;
      -j*)
        jobs=${1#-j}
        [[ $jobs =~ ^[1-9][0-9]*$ ]] || wrong "-j is followed by '$jobs'; expected a number of jobs, as in -j8"
        ;;
      *) wrong "'$1' is no option; bash build.sh --help lists them" ;;
    esac
    shift
  done
  case $action in
    '') wrong "nothing to do; expected --pkg, --run_example, -u or --help" ;;
    --pkg) refuse --install-path "$install_path" ;;
    -u) refuse --install-path "$install_path" --soc "$soc" --vendor_name "$vendor" ;;
    --run_example)
      refuse --ops "$ops"
      check_names --run_example "$example" "$operators"
      compgen -G "$root/examples/$example/*_example.cc" >/dev/null || wrong "--run_example is '$example', which has no example in examples/"
      [[ $soc != *,* ]] || wrong "--soc is '$soc'; an example runs on one"
      ;;
  esac
}

# refuse FLAG VALUE...: flags that the action does not take have no value.
refuse() {
  while [[ $# -gt 0 ]]; do
    [[ -z $2 ]] || wrong "$1 cannot go with $action"
    shift 2
  done
}

bazel() {
  # shellcheck disable=SC2086
  "$root/bazelw" ${BAZEL_STARTUP:-} "$@"
}

make_package() {
  cd "$root"
  local flags=() name
  [[ -z $soc ]] || flags+=("--//tools/build_defs:socs=$soc")
  [[ -z $ops ]] || flags+=("--//tools/build_defs:operators=$ops")
  [[ -z $vendor ]] || flags+=("--//tools/build_defs:vendor_name=$vendor")
  [[ -z $jobs ]] || flags+=("--jobs=$jobs")
  bazel build "${flags[@]}" //op_host:package
  name=cann-ops-transformer-${vendor:-custom}_linux-$(uname -m).run
  mkdir -p "$out"
  cp -f "$(bazel info --noshow_progress bazel-bin 2>/dev/null)/op_host/$name" "$out/$name"
  chmod u+w "$out/$name"
  echo "$out/$name"
}

run_unit_tests() {
  cd "$root"
  local targets=() flags=() operator
  for operator in ${ops//,/ }; do targets+=("//op_host/$operator/..."); done
  [[ -z $jobs ]] || flags+=("--jobs=$jobs")
  bazel test "${flags[@]}" "${targets[@]:-//op_host/...}"
}

# The folder of the vendor's installation; nothing where there is none.
find_installation() {
  local folder=${vendor:-custom}_transformer place customs
  local places=("${ASCEND_OPP_PATH:-}/vendors/$folder" "${ASCEND_HOME_PATH:-}/opp/vendors/$folder")
  if [[ -n $install_path ]]; then
    [[ -d $install_path/vendors/$folder ]] || wrong "--install-path is '$install_path', where vendor '${vendor:-custom}' is not installed"
    places=("$install_path/vendors/$folder")
  else
    IFS=: read -ra customs <<<"${ASCEND_CUSTOM_OPP_PATH:-}"
    for place in "${customs[@]}"; do
      [[ ${place##*/} != "$folder" ]] || places=("$place" "${places[@]}")
    done
  fi
  for place in "${places[@]}"; do
    if [[ -f $place/op_api/lib/libcust_opapi.so ]]; then
      (cd "$place" && pwd)
      return
    fi
  done
}

run_example() {
  local compiler=${CXX:-g++} installation work package source program
  command -v "${compiler%% *}" >/dev/null || {
    echo "build.sh: the compiler '$compiler' is not on PATH; install g++ or set CXX" >&2
    exit 1
  }
  work=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "rm -rf '$work'" EXIT
  installation=$(find_installation)
  if [[ -z $installation ]]; then
    echo "build.sh: vendor '${vendor:-custom}' is not installed; making a package and installing it for this run alone" >&2
    ops=$example
    package=$(make_package | tail -n 1)
    "$root/$package" --install-path="$work/opp" --quiet
    install_path=$work/opp
    installation=$(find_installation)
  fi
  local flags=("-I$installation/op_api/include" "-L$installation/op_api/lib" "-Wl,-rpath,$installation/op_api/lib" -lcust_opapi -lascendcl)
  # A toolkit brings the runtime; packages made without one hold it.
  [[ -d $installation/op_api/include/acl ]] || flags+=("-I${ASCEND_HOME_PATH:-}/include" "-L${ASCEND_HOME_PATH:-}/lib64" -lnnopbase)
  cd "$root/examples/$example"
  for source in *_example.cc; do
    program=$work/${source%.cc}
    # shellcheck disable=SC2046,SC2086
    $compiler -std=c++17 "-I$root" "$source" $(find . ../aclnn_caller -maxdepth 1 -name '*.cc' ! -name '*_example.cc') \
      -o "$program" "${flags[@]}"
    echo "== ${source%.cc}, with the package in $installation"
    ATTNRES_SOC=${soc:-ascend910b} "$program"
  done
}

parse "$@"
case $action in
  --pkg) make_package ;;
  -u) run_unit_tests ;;
  --run_example) run_example ;;
esac
