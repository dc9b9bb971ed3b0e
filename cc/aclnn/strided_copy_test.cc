// Strided copies against an element-by-element reference, over many shapes and strides.
#include "cc/aclnn/strided_copy.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace attnres::aclnn {
namespace {

using Dims = std::vector<int64_t>;

// Calls `visit(from_offset, to_offset)`, in elements, for every element of the views.
template <typename Visit>
void ForEachElement(const Dims& dims, const Dims& from, const Dims& to, const Visit& visit) {
  int64_t count = 1;
  for (int64_t dim : dims) count *= dim;
  for (int64_t linear = 0; linear < count; ++linear) {
    int64_t rest = linear;
    int64_t from_offset = 0;
    int64_t to_offset = 0;
    for (size_t i = dims.size(); i-- > 0;) {
      from_offset += rest % dims[i] * from[i];
      to_offset += rest % dims[i] * to[i];
      rest /= dims[i];
    }
    visit(from_offset, to_offset);
  }
}

int64_t Lowest(const Dims& dims, const Dims& strides) {
  int64_t lowest = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (strides[i] < 0 && dims[i] > 0) lowest += strides[i] * (dims[i] - 1);
  }
  return lowest;
}

void Check(const Dims& dims, const Dims& from, const Dims& to, int64_t element_bytes) {
  constexpr int64_t kStorage = 4096;
  std::vector<unsigned char> source(static_cast<size_t>(kStorage * element_bytes));
  std::mt19937 random(1);
  for (unsigned char& byte : source) byte = static_cast<unsigned char>(random());
  std::vector<unsigned char> expected(source.size(), 0xcd);
  std::vector<unsigned char> zeroed = expected;
  std::vector<unsigned char> copied = expected;
  std::vector<unsigned char> filled = expected;
  const int64_t from_base = -Lowest(dims, from) * element_bytes;
  const int64_t to_base = -Lowest(dims, to) * element_bytes;
  ForEachElement(dims, from, to, [&](int64_t f, int64_t t) {
    memcpy(expected.data() + to_base + t * element_bytes,
           source.data() + from_base + f * element_bytes, static_cast<size_t>(element_bytes));
    memset(zeroed.data() + to_base + t * element_bytes, 0, static_cast<size_t>(element_bytes));
  });
  RunCopy(PlanCopy(dims.size(), dims.data(), from.data(), to.data(), element_bytes),
          source.data() + from_base, copied.data() + to_base);
  RunZeroFill(PlanCopy(dims.size(), dims.data(), nullptr, to.data(), element_bytes),
              filled.data() + to_base);
  const auto what = testing::PrintToString(dims) + testing::PrintToString(from) +
                    testing::PrintToString(to) + std::to_string(element_bytes);
  EXPECT_EQ(copied, expected) << what;
  EXPECT_EQ(filled, zeroed) << what;
}

TEST(StridedCopy, EqualsTheReference) {
  const struct {
    Dims dims;
    Dims from;
    Dims to;
  } cases[] = {
      {{}, {}, {}},
      {{7}, {1}, {1}},
      {{5, 24}, {0, 0}, {24, 1}},              // one element expanded
      {{5, 24}, {0, 1}, {24, 1}},              // one row expanded
      {{4, 16}, {1, 4}, {16, 1}},              // transposed
      {{4, 3, 16}, {96, 32, 2}, {48, 16, 1}},  // every other column
      {{4, 3, 16}, {16, 64, 1}, {48, 16, 1}},  // two axes swapped
      {{4, 3, 16}, {48, 16, 1}, {96, 32, 2}},  // to every other column
      {{4, 16}, {16, 1}, {1, 4}},              // to a transposed view
      {{3, 5}, {-5, -1}, {5, 1}},              // reversed
      {{3, 5}, {5, 1}, {-7, 1}},
      {{1, 1, 9}, {100, 100, 3}, {9, 9, 1}},
      {{2, 0, 3}, {3, 3, 1}, {3, 3, 1}},  // empty
      {{2, 3, 4, 5}, {60, 20, 5, 1}, {60, 20, 5, 1}},
      {{2, 3, 4, 5}, {1, 2, 6, 24}, {60, 20, 5, 1}},
  };
  for (const auto& test : cases) {
    for (const int64_t bytes : {1, 2, 4, 8, 16}) Check(test.dims, test.from, test.to, bytes);
  }
}

TEST(StridedCopy, RandomViewsEqualTheReference) {
  constexpr uint32_t kSeed = 20240607;
  std::mt19937 random(kSeed);
  const auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int round = 0; round < 500; ++round) {
    Dims dims;
    Dims from;
    Dims to;
    const int64_t rank = pick(1, 4);
    int64_t to_stride = pick(1, 2);
    for (int64_t i = 0; i < rank; ++i) {  // innermost first: no element is written twice
      dims.push_back(pick(1, 5));
      from.push_back(pick(-3, 6));
      to.push_back(pick(0, 1) == 0 ? to_stride : -to_stride);
      to_stride *= dims.back() + pick(0, 1);
    }
    Check(dims, from, to, int64_t{1} << pick(0, 3));
    if (HasFailure()) FAIL() << "seed " << kSeed << ", round " << round;
  }
}

TEST(PlanCopy, MakesRunsAsLongAsTheyAre) {
  const Dims dims = {4, 3, 16};
  const Dims contiguous = {48, 16, 1};
  const CopyPlan whole = PlanCopy(3, dims.data(), contiguous.data(), contiguous.data(), 2);
  EXPECT_EQ(whole.run_bytes, 4 * 3 * 16 * 2);
  EXPECT_TRUE(whole.loops.empty());
  const Dims padded = {64, 16, 1};
  const CopyPlan rows = PlanCopy(3, dims.data(), padded.data(), contiguous.data(), 2);
  EXPECT_EQ(rows.run_bytes, 3 * 16 * 2);
  ASSERT_EQ(rows.loops.size(), 1u);
  EXPECT_EQ(rows.loops[0].count, 4);
}

}  // namespace
}  // namespace attnres::aclnn
