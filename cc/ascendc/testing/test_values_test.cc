// Elements by the name of their dtype, and .npy files as NumPy writes them.
#include "cc/ascendc/testing/test_values.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace attnres::testing {
namespace {

TEST(TestValues, RoundTripOfEveryDtype) {
  for (const char* dtype : {"float32", "float16", "bfloat16", "int8", "int16", "int32", "int64",
                            "uint8", "uint16", "uint32", "uint64"}) {
    std::vector<uint8_t> element(ElementBytes(dtype));
    ASSERT_GT(element.size(), 0u) << dtype;
    StoreElement(dtype, 100, element.data());
    EXPECT_EQ(LoadElement(dtype, element.data()), 100) << dtype;
  }
  EXPECT_EQ(ElementBytes("float64"), 0u);
}

TEST(TestValues, RoundsAsACast) {
  uint8_t element[2];
  StoreElement("float16", 2049, element);
  EXPECT_EQ(LoadElement("float16", element), 2048);
  StoreElement("bfloat16", 257, element);
  EXPECT_EQ(LoadElement("bfloat16", element), 256);
}

std::string WriteFile(const std::string& content) {
  const std::string path = std::string(getenv("TEST_TMPDIR")) + "/x.npy";
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

std::string Npy(const std::string& order, const std::string& data) {
  const std::string text = "{'descr': '<i2', 'fortran_order': " + order + ", 'shape': (2,), }\n";
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(text.size()) + '\0' + text + data;
}

TEST(ReadNpy, GivesTheElements) {
  std::string error;
  EXPECT_EQ(ReadNpy(WriteFile(Npy("False", "abcd")), 4, &error),
            (std::vector<uint8_t>{'a', 'b', 'c', 'd'}));
  EXPECT_EQ(error, "");
}

TEST(ReadNpy, SaysWhatIsWrong) {
  const auto refusal = [](const std::string& content, uint64_t bytes) {
    std::string error;
    EXPECT_TRUE(ReadNpy(WriteFile(content), bytes, &error).empty());
    return error.substr(error.rfind('/') + 1);
  };
  EXPECT_EQ(refusal(Npy("False", "abcd"), 6), "x.npy holds 4 bytes of elements, expected 6");
  EXPECT_EQ(refusal(Npy("True", "abcd"), 4), "x.npy is not in C order");
  EXPECT_EQ(refusal("abcd", 4), "x.npy is no .npy file");
  EXPECT_EQ(refusal("", 4), "x.npy is no .npy file");
  EXPECT_EQ(refusal(Npy("False", "").substr(0, 20), 4),
            "x.npy holds 0 bytes of elements, expected 4");
}

TEST(ReadNpy, SaysThatThereIsNoFile) {
  std::string error;
  EXPECT_TRUE(ReadNpy("/none/such.npy", 4, &error).empty());
  EXPECT_EQ(error, "/none/such.npy cannot be opened");
}

TEST(WriteNpy, IsReadBack) {
  const std::string path = std::string(getenv("TEST_TMPDIR")) + "/written.npy";
  for (const size_t size : {0, 3, 100, 12345}) {
    std::vector<uint8_t> bytes(size, 7);
    ASSERT_TRUE(WriteNpy(path, bytes));
    std::string error;
    EXPECT_EQ(ReadNpy(path, size, &error), bytes) << error;
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    EXPECT_EQ((static_cast<size_t>(file.tellg()) - size) % 64, 0u);
  }
  EXPECT_FALSE(WriteNpy("/none/such.npy", {1}));
}

}  // namespace
}  // namespace attnres::testing
