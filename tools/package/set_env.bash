# Makes the operators of this package known to programs: `source set_env.bash`.
_vendor_path=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export ASCEND_CUSTOM_OPP_PATH=$_vendor_path${ASCEND_CUSTOM_OPP_PATH:+:$ASCEND_CUSTOM_OPP_PATH}
export LD_LIBRARY_PATH=$_vendor_path/op_api/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
unset _vendor_path
