// main() of every attnres_cc_test. Unlike googletest's own it fails when the program holds no
// test at all: a test target that runs nothing must not pass.
#include <cstdio>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  if (testing::UnitTest::GetInstance()->total_test_count() == 0) {
    std::fprintf(stderr, "gtest_main: the program holds no test\n");
    return 1;
  }
  return RUN_ALL_TESTS();
}
