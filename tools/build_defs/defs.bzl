"""Every macro of this workspace; BUILD files load from here only."""

load(
    ":ascendc.bzl",
    _ascendc_kernel_library = "ascendc_kernel_library",
    _ascendc_operator = "ascendc_operator",
    _ascendc_operator_library = "ascendc_operator_library",
)
load(
    ":ascendc_kernel_test.bzl",
    _ascendc_input = "ascendc_input",
    _ascendc_kernel_test = "ascendc_kernel_test",
    _ascendc_output = "ascendc_output",
    _ascendc_tiling = "ascendc_tiling",
    _ascendc_value = "ascendc_value",
    _ascendc_workspace = "ascendc_workspace",
)
load(
    ":cann.bzl",
    _operator_sources = "operator_sources",
)
load(
    ":cc.bzl",
    _attnres_cc_binary = "attnres_cc_binary",
    _attnres_cc_library = "attnres_cc_library",
    _attnres_cc_test = "attnres_cc_test",
)
load(
    ":custom_operator_package.bzl",
    _custom_operator_package = "custom_operator_package",
)
load(
    ":debug.bzl",
    _attnres_debug_program = "attnres_debug_program",
)
load(
    ":instruction_hashes.bzl",
    _instruction_hashes = "instruction_hashes",
)
load(
    ":py_program.bzl",
    _attnres_py_binary = "attnres_py_binary",
    _attnres_py_library = "attnres_py_library",
    _attnres_pytest_test = "attnres_pytest_test",
)
load(
    ":py_wheel.bzl",
    _attnres_py_wheel = "attnres_py_wheel",
)
load(
    ":settings.bzl",
    _attnres_bool_setting = "attnres_bool_setting",
)
load(
    ":shared_library.bzl",
    _attnres_cc_shared_library = "attnres_cc_shared_library",
    _attnres_cc_whole_archives = "attnres_cc_whole_archives",
    _attnres_pybind_extension = "attnres_pybind_extension",
)

attnres_bool_setting = _attnres_bool_setting
attnres_cc_binary = _attnres_cc_binary
attnres_cc_library = _attnres_cc_library
attnres_cc_shared_library = _attnres_cc_shared_library
attnres_cc_test = _attnres_cc_test
attnres_cc_whole_archives = _attnres_cc_whole_archives
attnres_debug_program = _attnres_debug_program
attnres_py_binary = _attnres_py_binary
attnres_py_library = _attnres_py_library
attnres_py_wheel = _attnres_py_wheel
attnres_pybind_extension = _attnres_pybind_extension
attnres_pytest_test = _attnres_pytest_test
ascendc_input = _ascendc_input
ascendc_kernel_library = _ascendc_kernel_library
ascendc_kernel_test = _ascendc_kernel_test
ascendc_operator = _ascendc_operator
ascendc_operator_library = _ascendc_operator_library
ascendc_output = _ascendc_output
ascendc_tiling = _ascendc_tiling
ascendc_value = _ascendc_value
ascendc_workspace = _ascendc_workspace
custom_operator_package = _custom_operator_package
instruction_hashes = _instruction_hashes
operator_sources = _operator_sources
