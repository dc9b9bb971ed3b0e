// For the tests beside it: registers from arrays and back, masks worth trying, and a check of
// elementwise instructions against a function of single elements.
#ifndef CC_ASCENDC_REG_TEST_SUPPORT_H_
#define CC_ASCENDC_REG_TEST_SUPPORT_H_

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cc/ascendc/membase/vector/test_support.h"
#include "cc/ascendc/reg/load.h"
#include "cc/ascendc/reg/mask.h"
#include "cc/ascendc/reg/store.h"

namespace attnres::testing {

namespace Reg = AscendC::Reg;

template <typename T>
constexpr uint32_t kLanes = 256 / sizeof(T);

template <typename T>
using Elements = std::array<T, kLanes<T>>;

template <typename T>
Elements<T> AnyElements(Random& random) {
  Elements<T> elements;
  for (T& element : elements) element = AnyValue<T>(random);
  return elements;
}

template <typename T>
Reg::RegTensor<T> ToRegister(const Elements<T>& elements) {
  Reg::RegTensor<T> result;
  Reg::LoadAlign(result, const_cast<T*>(elements.data()));
  return result;
}

template <typename T>
Elements<T> FromRegister(Reg::RegTensor<T>& source) {
  Elements<T> elements;
  Reg::MaskReg all = Reg::CreateMask<uint8_t>();
  Reg::StoreAlign<T, Reg::StoreDist::DIST_NORM_B8>(elements.data(), source, all);
  return elements;
}

// The 256 bits of a mask, in memory.
struct MaskBits {
  std::string name;
  std::array<uint8_t, 32> bytes = {};

  bool Bit(uint32_t i) const { return ((bytes[i / 8] >> (i % 8)) & 1) != 0; }
  void Set(uint32_t i) { bytes[i / 8] = static_cast<uint8_t>(bytes[i / 8] | (1u << (i % 8))); }
  // The lowest bit of an element decides.
  template <typename T>
  bool Active(uint32_t lane) const {
    return Bit(lane * static_cast<uint32_t>(sizeof(T)));
  }
  Reg::MaskReg Register() const {
    Reg::MaskReg mask;
    Reg::LoadAlign(mask, const_cast<uint8_t*>(bytes.data()));
    return mask;
  }
};

inline MaskBits FromMask(Reg::MaskReg mask) {
  MaskBits bits;
  Reg::StoreAlign(bits.bytes.data(), mask);
  return bits;
}

template <typename T>
MaskBits LeadingBits(uint32_t count) {
  MaskBits mask;
  mask.name = "leading " + std::to_string(count);
  for (uint32_t lane = 0; lane < count; ++lane) {
    mask.Set(lane * static_cast<uint32_t>(sizeof(T)));
  }
  return mask;
}

// Every tail length, and bits that also stand where no element of T has its own.
template <typename T>
std::vector<MaskBits> InterestingMasks(Random& random) {
  std::vector<MaskBits> masks;
  for (uint32_t count = 0; count <= kLanes<T>; ++count) masks.push_back(LeadingBits<T>(count));
  for (int i = 0; i < 4; ++i) {
    MaskBits any;
    any.name = "random " + std::to_string(i);
    for (uint8_t& byte : any.bytes) byte = static_cast<uint8_t>(random());
    masks.push_back(any);
  }
  return masks;
}

template <typename T, size_t kCount>
::testing::AssertionResult SameElements(const std::array<T, kCount>& actual,
                                        const std::array<T, kCount>& expected) {
  for (size_t i = 0; i < kCount; ++i) {
    if (BitsAsInteger(actual[i]) != BitsAsInteger(expected[i])) {
      return ::testing::AssertionFailure()
             << "element " << i << " is " << ValueOf(actual[i]) << " (0x" << std::hex
             << BitsAsInteger(actual[i]) << "), expected " << ValueOf(expected[i]) << " (0x"
             << BitsAsInteger(expected[i]) << ")";
    }
  }
  return ::testing::AssertionSuccess();
}

// Elements that the mask leaves out become 0, or keep their value.
enum class Merge { kZero, kKeep };

// Runs an instruction that takes registers of S and writes one of D, all of as many elements, under
// every mask; an active element is reference(its old value, its sources...).
template <typename D, typename... S>
struct ElementwiseRegCheck {
  std::function<void(Reg::RegTensor<D>&, Reg::RegTensor<S>&..., Reg::MaskReg&)> run;
  std::function<D(D old, S...)> reference;
  Merge merge = Merge::kZero;

  void Check() {
    Random random{20261201};
    for (const MaskBits& bits : InterestingMasks<D>(random)) {
      const std::tuple<Elements<S>...> sources{AnyElements<S>(random)...};
      const Elements<D> old = AnyElements<D>(random);
      const Elements<D> expected = Expected(old, sources, bits);
      Reg::MaskReg mask = bits.Register();
      Reg::RegTensor<D> dst = ToRegister(old);
      std::tuple<Reg::RegTensor<S>...> registers = std::apply(
          [](auto&... source) { return std::make_tuple(ToRegister(source)...); }, sources);
      std::apply([&](auto&... source) { run(dst, source..., mask); }, registers);
      ASSERT_TRUE(SameElements(FromRegister(dst), expected)) << bits.name;
    }
    using First = std::tuple_element_t<0, std::tuple<S...>>;
    if constexpr (std::is_same_v<D, First>) CheckInPlace();
  }

 private:
  Elements<D> Expected(const Elements<D>& old, const std::tuple<Elements<S>...>& sources,
                       const MaskBits& bits) {
    Elements<D> expected;
    for (uint32_t i = 0; i < kLanes<D>; ++i) {
      const D active = std::apply(
          [&](const auto&... source) { return reference(old[i], source[i]...); }, sources);
      expected[i] = bits.template Active<D>(i) ? active : merge == Merge::kKeep ? old[i] : D(0);
    }
    return expected;
  }

  // dst is the first source too.
  void CheckInPlace() {
    Random random{7};
    const std::tuple<Elements<S>...> sources{AnyElements<S>(random)...};
    const Elements<D> old = std::get<0>(sources);
    const MaskBits bits = LeadingBits<D>(kLanes<D> - 3);
    Reg::MaskReg mask = bits.Register();
    std::tuple<Reg::RegTensor<S>...> registers =
        std::apply([](auto&... source) { return std::make_tuple(ToRegister(source)...); }, sources);
    std::apply([&](auto& first, auto&... rest) { run(first, first, rest..., mask); }, registers);
    ASSERT_TRUE(SameElements(FromRegister(std::get<0>(registers)), Expected(old, sources, bits)))
        << "in place";
  }
};

}  // namespace attnres::testing

#endif  // CC_ASCENDC_REG_TEST_SUPPORT_H_
