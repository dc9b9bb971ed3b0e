// attnres_cc_shared_library keeps what nothing calls, exports the listed symbols alone, and is
// linked dynamically by those that depend on it.
#include <dlfcn.h>

#include <string>

#include "gtest/gtest.h"
#include "tools/build_defs/testing/exporter.h"

namespace {

TEST(SharedLibraryTest, ExportsListedSymbolsOnly) {
  void* library = dlopen("libexporter.so", RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(library, nullptr) << dlerror();
  EXPECT_NE(dlsym(library, "sampleDigits"), nullptr);
  EXPECT_EQ(dlsym(library, "hiddenDigits"), nullptr);
  dlclose(library);
}

TEST(SharedLibraryTest, IsLinkedDynamically) {
  Dl_info info;
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&sampleDigits), &info), 0);
  EXPECT_NE(std::string(info.dli_fname).find("libexporter.so"), std::string::npos)
      << info.dli_fname;
  EXPECT_EQ(sampleDigits(1234), 4);
}

}  // namespace
