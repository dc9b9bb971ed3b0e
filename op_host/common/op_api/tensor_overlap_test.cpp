// Overlap of views against the set of bytes that each really covers: never a missed overlap, and none that is not there
// as long as the views are small or nest.

#include "op_host/common/op_api/tensor_overlap.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <vector>

namespace op_api
{
namespace
{

using Dims = std::vector<int64_t>;

struct View {
    Dims dims;
    Dims strides;
    int64_t offset;
};

char storage[1 << 16];

MemoryView Describe(const View& view)
{
    aclTensor* tensor = aclCreateTensor(view.dims.data(), view.dims.size(), ACL_FLOAT16, view.strides.data(),
                                        view.offset, ACL_FORMAT_ND, nullptr, 0, storage);
    const MemoryView memory = DescribeMemory(tensor);
    aclDestroyTensor(tensor);
    return memory;
}

// Element numbers of the view; `doubled` when one comes twice.
std::set<int64_t> Elements(const View& view, bool* doubled)
{
    std::set<int64_t> elements;
    int64_t count = 1;
    for (int64_t dim : view.dims) {
        count *= dim;
    }
    *doubled = false;
    for (int64_t linear = 0; linear < count; ++linear) {
        int64_t rest = linear;
        int64_t element = view.offset;
        for (size_t i = view.dims.size(); i-- > 0;) {
            element += rest % view.dims[i] * view.strides[i];
            rest /= view.dims[i];
        }
        *doubled = !elements.insert(element).second || *doubled;
    }
    return elements;
}

bool ReallyOverlap(const View& a, const View& b)
{
    bool doubled = false;
    const std::set<int64_t> elementsOfA = Elements(a, &doubled);
    for (int64_t element : Elements(b, &doubled)) {
        if (elementsOfA.count(element) != 0) {
            return true;
        }
    }
    return false;
}

TEST(TensorOverlap, IsExactForKnownKinds)
{
    const struct {
        const char* name;
        View a;
        View b;
    } cases[] = {
        {"same", {{4, 8}, {8, 1}, 0}, {{4, 8}, {8, 1}, 0}},
        {"behind", {{4, 8}, {8, 1}, 0}, {{4, 8}, {8, 1}, 32}},
        {"last element shared", {{4, 8}, {8, 1}, 0}, {{4, 8}, {8, 1}, 31}},
        {"even and odd columns", {{4, 8}, {16, 2}, 0}, {{4, 8}, {16, 2}, 1}},
        {"even columns twice", {{4, 8}, {16, 2}, 0}, {{4, 7}, {16, 2}, 2}},
        {"even and odd rows", {{4, 8}, {16, 1}, 0}, {{4, 8}, {16, 1}, 8}},
        {"left and right half", {{4, 8}, {20, 1}, 0}, {{4, 8}, {20, 1}, 12}},
        {"halves that touch", {{4, 8}, {20, 1}, 0}, {{4, 12}, {20, 1}, 8}},
        {"halves that share a column", {{4, 9}, {20, 1}, 0}, {{4, 12}, {20, 1}, 8}},
        {"value rows of one buffer", {{5, 3, 8}, {32, 8, 1}, 0}, {{5, 8}, {32, 1}, 24}},
        {"value rows, one too many", {{5, 4, 8}, {32, 8, 1}, 0}, {{5, 8}, {32, 1}, 24}},
        {"reversed and behind", {{8}, {-1}, 7}, {{8}, {1}, 8}},
        {"reversed and shared", {{8}, {-1}, 8}, {{8}, {1}, 8}},
        {"expanded inside a gap", {{5, 8}, {0, 2}, 1}, {{4, 8}, {16, 2}, 0}},
        {"empty", {{0, 8}, {8, 1}, 0}, {{4, 8}, {8, 1}, 0}},
    };
    for (const auto& test : cases) {
        EXPECT_EQ(MayOverlap(Describe(test.a), Describe(test.b)), ReallyOverlap(test.a, test.b)) << test.name;
        EXPECT_EQ(MayOverlap(Describe(test.b), Describe(test.a)), ReallyOverlap(test.a, test.b)) << test.name;
    }
}

TEST(TensorOverlap, IsExactForAnySmallViews)
{
    constexpr uint32_t SEED = 7;
    std::mt19937 random(SEED);
    const auto pick = [&](int64_t low, int64_t high) {
        return std::uniform_int_distribution<int64_t>(low, high)(random);
    };
    const auto pickView = [&] {
        View view = {{}, {}, pick(100, 140)};
        for (int64_t rank = pick(1, 3); rank > 0; --rank) {
            view.dims.push_back(pick(1, 4));
            view.strides.push_back(pick(-8, 8));
        }
        return view;
    };
    int apart = 0;
    for (int round = 0; round < 5000; ++round) {
        const View a = pickView();
        const View b = pickView();
        bool doubled = false;
        Elements(a, &doubled);
        const MemoryView memory = Describe(a);
        EXPECT_EQ(memory.selfOverlap, doubled) << "seed " << SEED << ", round " << round;
        const bool answer = MayOverlap(memory, Describe(b));
        apart += answer ? 0 : 1;
        EXPECT_EQ(answer, ReallyOverlap(a, b)) << "seed " << SEED << ", round " << round;
    }
    EXPECT_GT(apart, 1000);
}

TEST(TensorOverlap, AnswersForLargeViewsAtOnce)
{
    const int64_t rows = int64_t{1} << 40;
    EXPECT_FALSE(MayOverlap(Describe({{rows, 8}, {16, 1}, 0}), Describe({{rows, 8}, {16, 1}, 8})));
    EXPECT_TRUE(MayOverlap(Describe({{rows, 9}, {16, 1}, 0}), Describe({{rows, 8}, {16, 1}, 8})));
    EXPECT_FALSE(Describe({{rows, 8}, {8, 1}, 0}).selfOverlap);
    EXPECT_TRUE(Describe({{rows, 9}, {8, 1}, 0}).selfOverlap);
    // No nesting, no common period.
    EXPECT_TRUE(MayOverlap(Describe({{1 << 20, 1 << 20}, {999, 1001}, 0}), Describe({{rows, 7}, {1003, 998}, 1})));
}

TEST(TensorOverlap, SelfOverlap)
{
    EXPECT_FALSE(Describe({{4, 8}, {8, 1}, 0}).selfOverlap);
    EXPECT_FALSE(Describe({{4, 8}, {1, 4}, 0}).selfOverlap);
    EXPECT_FALSE(Describe({{1, 8}, {0, 1}, 0}).selfOverlap);
    EXPECT_TRUE(Describe({{4, 8}, {0, 1}, 0}).selfOverlap);
    EXPECT_TRUE(Describe({{4, 8}, {7, 1}, 0}).selfOverlap);
    EXPECT_FALSE(Describe({{2, 3}, {3, 2}, 0}).selfOverlap) << "elements 0, 2, 4, 3, 5, 7";
}

}  // namespace
}  // namespace op_api
