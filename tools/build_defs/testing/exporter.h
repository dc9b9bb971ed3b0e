// Sample for shared_library_test: one function that is exported and one that is not.
#ifndef TOOLS_BUILD_DEFS_TESTING_EXPORTER_H_
#define TOOLS_BUILD_DEFS_TESTING_EXPORTER_H_

extern "C" int sampleDigits(int value);
extern "C" int hiddenDigits(int value);

#endif  // TOOLS_BUILD_DEFS_TESTING_EXPORTER_H_
