// For the tests beside it: a core for instructions that need one, values that provoke, and a model
// of elementwise instructions that walks repeats, data blocks and mask bits one element at a time
// (independent of repeat.h).
#ifndef CC_ASCENDC_MEMBASE_VECTOR_TEST_SUPPORT_H_
#define CC_ASCENDC_MEMBASE_VECTOR_TEST_SUPPORT_H_

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "cc/ascendc/membase/core.h"
#include "cc/ascendc/membase/local_tensor.h"
#include "cc/ascendc/membase/vector/mask.h"
#include "cc/ascendc/testing/guarded_buffer.h"

namespace attnres::testing {

using AscendC::bfloat16_t;
using AscendC::half;
using AscendC::LocalTensor;

// What observed builds of the tests run through: a copy of each body, at once.
inline const AscendcTwinObserver* RunningObserver() {
  static const AscendcTwinObserver observer = [] {
    AscendcTwinObserver running = {};
    running.issue = [](AscendcTwinCore*, const AscendcTwinInstruction* instruction) {
      const auto* closure = static_cast<const uint8_t*>(instruction->closure);
      const std::vector<uint8_t> copy(closure, closure + instruction->closure_bytes);
      instruction->run(copy.data());
    };
    running.vector_access = [](AscendcTwinCore*, uint64_t, uint64_t, int, uint32_t,
                               const AscendcTwinPlace*) { return 1; };
    running.scalar_access = [](AscendcTwinCore*, uint64_t, uint64_t, int, int,
                               const AscendcTwinPlace*) { return 1; };
    return running;
  }();
  return &observer;
}

// A core is current while a test runs; a failing instruction throws its message.
class VectorTest : public ::testing::Test {
 protected:
  VectorTest() {
    core_.observer = RunningObserver();
    core_.fail = [](AscendcTwinCore*, const char* message) { throw std::runtime_error(message); };
    state_.core = &core_;
    AscendC::twin::current = &state_;
  }
  ~VectorTest() override { AscendC::twin::current = &AscendC::twin::no_core; }

 private:
  AscendcTwinCore core_ = {};
  AscendC::twin::CoreState state_;
};

template <typename T>
LocalTensor<T> TensorOf(GuardedBuffer<T>& buffer) {
  return LocalTensor<T>(buffer.data(), static_cast<uint32_t>(buffer.size()),
                        AscendC::TPosition::VECCALC, nullptr);
}

template <typename T>
uint64_t BitsAsInteger(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(value));
  return bits;
}

template <typename T>
constexpr bool kIsFloat16 = std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>;

// Exactly, as a double.
template <typename T>
double ValueOf(T value) {
  if constexpr (kIsFloat16<T>) {
    return static_cast<float>(value);
  } else {
    return static_cast<double>(value);
  }
}

// Rounded once to T; a NaN becomes the canonical one.
template <typename T>
T RoundedTo(double value) {
  if (value != value) {
    if constexpr (std::is_same_v<T, half>) return half::FromBits(0x7E00);
    if constexpr (std::is_same_v<T, bfloat16_t>) return bfloat16_t::FromBits(0x7FC0);
    if constexpr (std::is_same_v<T, float>) return std::numeric_limits<float>::quiet_NaN();
  }
  return static_cast<T>(value);
}

using Random = std::mt19937_64;

// Mostly ordinary numbers; often zeros of both signs, subnormals, infinities, NaNs, extremes.
template <typename T>
T AnyValue(Random& random) {
  if constexpr (std::is_integral_v<T>) {
    const uint64_t bits = random();
    switch (random() % 8) {
      case 0:
        return static_cast<T>(bits % 3 - 1);
      case 1:
        return std::numeric_limits<T>::max();
      case 2:
        return std::numeric_limits<T>::min();
      default:
        return static_cast<T>(bits);
    }
  } else {
    const double sign = random() % 2 == 0 ? 1.0 : -1.0;
    switch (random() % 16) {
      case 0:
        return T(static_cast<float>(sign * 0.0));
      case 1:
        return T(static_cast<float>(sign) * std::numeric_limits<float>::infinity());
      case 2: {
        T any;
        const uint64_t bits = random();  // any pattern: NaNs with payload, subnormals
        std::memcpy(&any, &bits, sizeof(any));
        return any;
      }
      case 3:
        return T(static_cast<float>(sign * (random() % 4)));
      default:
        return T(static_cast<float>(sign * std::ldexp(1.0 + random() % 4096 / 4096.0,
                                                      static_cast<int>(random() % 16) - 8)));
    }
  }
}

template <typename T>
void FillAny(GuardedBuffer<T>& buffer, Random& random) {
  for (size_t i = 0; i < buffer.size(); ++i) {
    buffer[i] = AnyValue<T>(random);
  }
}

template <typename T>
::testing::AssertionResult SameBits(const GuardedBuffer<T>& actual,
                                    const std::vector<T>& expected) {
  for (size_t i = 0; i < expected.size(); ++i) {
    if (BitsAsInteger(actual[i]) != BitsAsInteger(expected[i])) {
      return ::testing::AssertionFailure()
             << "element " << i << " is " << ValueOf(actual[i]) << " (0x" << std::hex
             << BitsAsInteger(actual[i]) << "), expected " << ValueOf(expected[i]) << " (0x"
             << BitsAsInteger(expected[i]) << ")";
    }
  }
  return actual.GuardsIntact() ? ::testing::AssertionSuccess()
                               : ::testing::AssertionFailure() << "guard bytes overwritten";
}

// In 32-byte data blocks.
struct Stride {
  uint32_t block = 1;
  uint32_t repeat = 8;
};

// One call in the mask/repeat form: lane l of repeat r is active if active[r][l].
struct RepeatCall {
  std::string name;
  uint64_t mask_count = 0;  // used where mask_bits is empty
  std::vector<uint64_t> mask_bits;
  uint32_t repeats = 1;
  Stride dst;
  Stride src[2];
  bool accumulate = false;  // the last source is dst itself

  bool Active(uint32_t lane) const {
    return mask_bits.empty() ? lane < mask_count : ((mask_bits[lane / 64] >> (lane % 64)) & 1) != 0;
  }
};

template <typename T>
size_t ElementIndex(uint32_t repeat, uint32_t lane, const Stride& stride) {
  const uint32_t lanes = 32 / sizeof(T);
  return (size_t{repeat} * stride.repeat + lane / lanes * stride.block) * lanes + lane % lanes;
}

// Calls worth trying for an instruction whose widest type has `lanes` elements in a repeat.
inline std::vector<RepeatCall> InterestingCalls(uint32_t lanes, uint32_t narrow_factor,
                                                Random& random) {
  const uint32_t rep = 8 / narrow_factor;  // dense repeat stride of a narrower source
  std::vector<RepeatCall> calls;
  calls.push_back({"dense", lanes, {}, 5, {1, 8}, {{1, rep}, {1, rep}}});
  calls.push_back({"leading", lanes / 2 + 3, {}, 3, {1, 8}, {{1, rep}, {1, rep}}});
  calls.push_back({"one lane", 1, {}, 4, {1, 8}, {{1, rep}, {1, rep}}});
  calls.push_back({"block stride", lanes, {}, 2, {2, 16}, {{1, rep}, {3, 24}}});
  calls.push_back({"repeat stride", lanes, {}, 3, {1, 9}, {{1, 10}, {1, 8}}});
  calls.push_back({"broadcast block", lanes, {}, 3, {1, 8}, {{1, rep}, {0, 0}}});
  calls.push_back({"broadcast row", lanes, {}, 3, {1, 8}, {{1, 0}, {1, rep}}});
  calls.push_back({"no repeat", lanes, {}, 0, {1, 8}, {{1, rep}, {1, rep}}});
  calls.push_back({"mask zero", 0, {}, 2, {1, 8}, {{1, rep}, {1, rep}}});
  calls.push_back({"bits", 0, {random(), random()}, 3, {1, 8}, {{1, rep}, {1, rep}}});
  calls.push_back({"bits strided", 0, {random(), random()}, 2, {2, 17}, {{2, 17}, {1, 8}}});
  calls.push_back({"all bits", 0, {~0ull, ~0ull}, 3, {1, 8}, {{1, rep}, {1, rep}}});
  return calls;
}

// The runs and the reference of one elementwise instruction. `old` is what dst held.
template <typename D, typename... S>
struct ElementwiseCheck {
  static constexpr uint32_t kWidest = std::max({sizeof(D), sizeof(S)...});
  static constexpr uint32_t kLanes = 256 / kWidest;
  static constexpr size_t kElements = 1200;
  using Mask = uint64_t*;

  std::function<D(D old, S... src)> reference;
  std::function<void(LocalTensor<D>, LocalTensor<S>..., int32_t count)> count_form;
  std::function<void(LocalTensor<D>, LocalTensor<S>..., uint64_t mask, const RepeatCall&)>
      mask_form;
  std::function<void(LocalTensor<D>, LocalTensor<S>..., Mask mask, const RepeatCall&)> bits_form;

  Random random{20240607};
  std::tuple<GuardedBuffer<S>...> sources{GuardedBuffer<S>(kElements)...};
  GuardedBuffer<D> dst{kElements};

  void Refill() {
    std::apply([this](auto&... buffer) { (FillAny(buffer, random), ...); }, sources);
    FillAny(dst, random);
  }

  std::vector<D> Before() const { return {dst.data(), dst.data() + dst.size()}; }

  void RunCounts() {
    std::vector<int32_t> counts;
    for (int32_t n = 0; n <= 130; ++n) counts.push_back(n);
    for (const int32_t n : {191, 255, 256, 511, 1000}) counts.push_back(n);
    for (const int32_t count : counts) {
      Refill();
      std::vector<D> expected = Before();
      for (int32_t i = 0; i < count; ++i) {
        expected[i] =
            std::apply([&](auto&... src) { return reference(expected[i], src[i]...); }, sources);
      }
      std::apply([&](auto&... src) { count_form(TensorOf(dst), TensorOf(src)..., count); },
                 sources);
      ASSERT_TRUE(SameBits(dst, expected)) << "count " << count;
    }
  }

  // dst is also the first source; only for equal types.
  void RunInPlace() {
    using First = std::tuple_element_t<0, std::tuple<S...>>;
    if constexpr (std::is_same_v<D, First>) {
      for (const int32_t count : {1, 7, 64, 129, 1000}) {
        Refill();
        std::vector<D> expected = Before();
        GuardedBuffer<D>& first = std::get<0>(sources);
        for (int32_t i = 0; i < count; ++i) {
          first[i] = dst[i];
          expected[i] =
              std::apply([&](auto&... src) { return reference(dst[i], src[i]...); }, sources);
        }
        CallInPlace(count, std::index_sequence_for<S...>{});
        ASSERT_TRUE(SameBits(dst, expected)) << "in place, count " << count;
      }
    }
  }

  void RunRepeats() {
    constexpr uint32_t kNarrow = kWidest / std::min({uint32_t{sizeof(D)}, uint32_t{sizeof(S)}...});
    for (const RepeatCall& call : InterestingCalls(kLanes, kNarrow, random)) {
      Refill();
      std::vector<D> expected = Before();
      for (uint32_t repeat = 0; repeat < call.repeats; ++repeat) {
        for (uint32_t lane = 0; lane < kLanes; ++lane) {
          if (call.Active(lane)) {
            ExpectLane(call, repeat, lane, &expected, std::index_sequence_for<S...>{});
          }
        }
      }
      std::vector<uint64_t> bits = call.mask_bits;
      std::apply(
          [&](auto&... src) {
            if (bits.empty()) {
              mask_form(TensorOf(dst), TensorOf(src)..., call.mask_count, call);
            } else {
              bits_form(TensorOf(dst), TensorOf(src)..., bits.data(), call);
            }
          },
          sources);
      ASSERT_TRUE(SameBits(dst, expected)) << call.name;
    }
  }

  // Counter mode: the mask is the total, repeats are ignored.
  void RunCounterMode() {
    for (const uint64_t total :
         {uint64_t{0}, uint64_t{5}, uint64_t{kLanes}, uint64_t{kLanes} * 3 + 7}) {
      RepeatCall call{"counter", total, {}, 1, {1, 9}, {{1, 9}, {1, 8}}};
      Refill();
      std::vector<D> expected = Before();
      for (uint64_t i = 0; i < total; ++i) {
        ExpectLane(call, static_cast<uint32_t>(i / kLanes), static_cast<uint32_t>(i % kLanes),
                   &expected, std::index_sequence_for<S...>{});
      }
      AscendC::SetMaskCount();
      std::apply([&](auto&... src) { mask_form(TensorOf(dst), TensorOf(src)..., total, call); },
                 sources);
      AscendC::SetMaskNorm();
      ASSERT_TRUE(SameBits(dst, expected)) << "counter mode, " << total << " elements";
    }
  }

  void RunAll() {
    RunCounts();
    RunInPlace();
    RunRepeats();
    RunCounterMode();
  }

 private:
  template <size_t... I>
  void ExpectLane(const RepeatCall& call, uint32_t repeat, uint32_t lane, std::vector<D>* expected,
                  std::index_sequence<I...>) {
    D& out = (*expected)[ElementIndex<D>(repeat, lane, call.dst)];
    out = reference(out, std::get<I>(sources)[ElementIndex<S>(repeat, lane, call.src[I])]...);
  }

  template <size_t First, size_t... I>
  void CallInPlace(int32_t count, std::index_sequence<First, I...>) {
    count_form(TensorOf(dst), TensorOf(dst), TensorOf(std::get<I>(sources))..., count);
  }
};

}  // namespace attnres::testing

#endif  // CC_ASCENDC_MEMBASE_VECTOR_TEST_SUPPORT_H_
