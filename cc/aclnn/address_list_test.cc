// Addresses keep their order, in place and beyond.
#include "cc/aclnn/address_list.h"

#include <gtest/gtest.h>

namespace attnres::aclnn {
namespace {

TEST(AddressList, KeepsTheOrderOnBothSidesOfItsPlace) {
  char bytes[2 * AddressList::kInPlace];
  AddressList list;
  EXPECT_EQ(list.size(), 0u);
  for (size_t i = 0; i < sizeof bytes; ++i) {
    list.Add(&bytes[i]);
    ASSERT_EQ(list.size(), i + 1);
    for (size_t j = 0; j <= i; ++j) ASSERT_EQ(list[j], &bytes[j]) << i;
  }
  const AddressList copy = list;
  EXPECT_NE(copy.data(), list.data());
  EXPECT_EQ(copy[sizeof bytes - 1], &bytes[sizeof bytes - 1]);
}

TEST(AddressList, CopiesOfAShortOneAreTheirOwn) {
  char byte;
  AddressList list;
  list.Add(&byte);
  const AddressList copy = list;
  list.Add(nullptr);
  EXPECT_EQ(copy.size(), 1u);
  EXPECT_EQ(copy[0], &byte);
}

}  // namespace
}  // namespace attnres::aclnn
