"""The C++ rules of the running Bazel, under one name each. Nothing else may use native.cc_*."""

cc_binary = native.cc_binary
cc_import = native.cc_import
cc_library = native.cc_library
cc_test = native.cc_test
