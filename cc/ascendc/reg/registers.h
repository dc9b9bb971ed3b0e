// The registers of a vector function: RegTensor, MaskReg, AddrReg and the registers for unaligned
// access, and how the instructions read and write them.
//
// NaN. A NaN result is the positive quiet NaN without payload on every host, but hosts give other
// bits, and correcting each result would cost as much as the operation. So a float register keeps
// the host's NaNs and remembers it (nan_loose); who can tell the difference (a store, an integer
// view, a move into another register type) asks for exact bits. The flag is a constant in inlined
// code. Registers that only moved keep their bits.
#ifndef CC_ASCENDC_REG_REGISTERS_H_
#define CC_ASCENDC_REG_REGISTERS_H_

#include "cc/ascendc/reg/host_vector.h"
#include "cc/ascendc/reg/params.h"

ASCENDC_TWIN_REG_BEGIN

namespace Reg {

// 256 bytes, as elements of T. regTrait RegTraitNumTwo (64-bit elements split over two registers)
// does not exist in the twin.
template <typename T, const RegTrait& regTrait = RegTraitNumOne>
struct RegTensor {
  static_assert(regTrait.REG_NUM == 1, "the twin has registers of one vector only");
  using ActualT = T;
  using RegType = twin::vf::RegVector<T>;
  static constexpr RegTrait trait = regTrait;
  static constexpr int REG_NUM = trait.REG_NUM;

  ASCENDC_TWIN_INLINE RegTensor() {}

  RegType reg[REG_NUM];
  bool nan_loose = false;  // NaNs may have bits that only this host gives

  ASCENDC_TWIN_INLINE operator RegType&() { return reg[0]; }
};

// 256 bits, one for each byte of a RegTensor. An element of n bytes is active if the lowest of its
// n bits is set; instructions that make a mask for n-byte elements leave the others 0. Here one
// byte, 0 or 1, stands for each bit.
struct MaskReg {
  ASCENDC_TWIN_INLINE MaskReg() {}

  twin::vf::Vector<uint8_t, twin::vf::kRegBytes> bits;
};

// An offset in elements of the type that made it.
struct AddrReg {
  uint32_t offset;
};

// On a device a cache of 32 bytes that outlives a call. The twin accesses memory at once and keeps
// nothing.
struct UnalignReg {};
using UnalignRegForLoad = UnalignReg;
using UnalignRegForStore = UnalignReg;

template <typename T>
ASCENDC_TWIN_INLINE AddrReg CreateAddrReg(uint16_t index0, uint32_t stride0) {
  return AddrReg{index0 * stride0};
}
template <typename T>
ASCENDC_TWIN_INLINE AddrReg CreateAddrReg(uint16_t index0, uint32_t stride0, uint16_t index1,
                                          uint32_t stride1) {
  return AddrReg{index0 * stride0 + index1 * stride1};
}
template <typename T>
ASCENDC_TWIN_INLINE AddrReg CreateAddrReg(uint16_t index0, uint32_t stride0, uint16_t index1,
                                          uint32_t stride1, uint16_t index2, uint32_t stride2) {
  return AddrReg{index0 * stride0 + index1 * stride1 + index2 * stride2};
}
template <typename T>
ASCENDC_TWIN_INLINE AddrReg CreateAddrReg(uint16_t index0, uint32_t stride0, uint16_t index1,
                                          uint32_t stride1, uint16_t index2, uint32_t stride2,
                                          uint16_t index3, uint32_t stride3) {
  return AddrReg{index0 * stride0 + index1 * stride1 + index2 * stride2 + index3 * stride3};
}

}  // namespace Reg

namespace twin::vf {

template <typename U>
struct IsRegTensorType : std::false_type {};
template <typename T, const Reg::RegTrait& regTrait>
struct IsRegTensorType<Reg::RegTensor<T, regTrait>> : std::true_type {};

// For overloads that take any RegTensor and no MaskReg.
template <typename U>
using EnableRegTensor = std::enable_if_t<IsRegTensorType<U>::value, int>;

// The element type of a register. `Given` is what the caller wrote as template argument.
template <typename U, typename Given>
struct ElementOf {
  using Type = typename U::ActualT;
  static_assert(kIsOneOf<Given, Reg::DefaultType, Type>,
                "the element type is not that of the register");
};
template <typename U, typename Given = Reg::DefaultType>
using Element = typename ElementOf<U, Given>::Type;

// The truth values of a comparison of vectors V: 0 or -1 in integers of its element's size.
template <typename V>
using Truth = decltype(V{} == V{});

// Which elements of T a mask has, as Truth<RegVector<T>>.
template <typename T>
ASCENDC_TWIN_INLINE Truth<RegVector<T>> ActiveLanes(const Reg::MaskReg& mask) {
  using Lanes = RegBits<T>;
  return BitCast<Truth<RegVector<T>>>((BitCast<Lanes>(mask.bits) & 1) != 0);
}

// The mask with the given elements of T.
template <typename T>
ASCENDC_TWIN_INLINE Reg::MaskReg MaskOf(Truth<RegVector<T>> active) {
  Reg::MaskReg mask;
  mask.bits = BitCast<Vector<uint8_t, kRegBytes>>(BitCast<RegBits<T>>(active) & 1);
  return mask;
}

// A vector of floats in which every NaN is the one that the twin gives.
template <typename V>
ASCENDC_TWIN_INLINE V WithCanonicalNans(V value) {
  return value != value ? Splat<sizeof(V) / sizeof(float)>(__builtin_nanf("")) : value;
}

// The same for a register's vector of any type whose bytes are floats.
template <typename V>
ASCENDC_TWIN_INLINE V ExactFloats(V value) {
  return BitCast<V>(WithCanonicalNans(BitCast<RegVector<float>>(value)));
}

// The value of a register with the bits that every host gives.
template <typename T>
ASCENDC_TWIN_INLINE RegVector<T> Exact(const Reg::RegTensor<T>& source) {
  // Loose ones are floats, whatever T this view of the register has.
  return source.nan_loose ? ExactFloats(source.reg[0]) : source.reg[0];
}

// The value of a register for instructions that cannot tell one NaN from another.
template <typename T>
ASCENDC_TWIN_INLINE RegVector<T> Loose(const Reg::RegTensor<T>& source) {
  if constexpr (std::is_same<T, float>::value) {
    return source.reg[0];
  } else {
    return Exact(source);
  }
}

// Two registers whose elements go into one: loose only if both are, else both exact, so that what
// merely moves keeps its bits.
template <typename T>
struct Joined {
  RegVector<T> first;
  RegVector<T> second;
  bool nan_loose;
};
template <typename T>
ASCENDC_TWIN_INLINE Joined<T> Join(const Reg::RegTensor<T>& first,
                                   const Reg::RegTensor<T>& second) {
  const bool nan_loose = first.nan_loose && second.nan_loose;
  return {nan_loose ? first.reg[0] : Exact(first), nan_loose ? second.reg[0] : Exact(second),
          nan_loose};
}

// dst = value where the mask is set.
template <Reg::MaskMergeMode mode, typename T>
ASCENDC_TWIN_INLINE void Assign(Reg::RegTensor<T>& dst, RegVector<T> value,
                                Truth<RegVector<T>> active, bool nan_loose) {
  static_assert(mode != Reg::MaskMergeMode::UNKNOWN, "MERGING or ZEROING");
  if constexpr (mode == Reg::MaskMergeMode::MERGING) {
    // Elements that stay keep their bits, so exact ones make the register exact.
    if (nan_loose && !dst.nan_loose) {
      value = ExactFloats(value);
    }
    dst.reg[0] = active ? value : dst.reg[0];
  } else {
    dst.reg[0] = active ? value : RegVector<T>{};
    dst.nan_loose = nan_loose;
  }
}
template <typename T>
ASCENDC_TWIN_INLINE void Assign(Reg::RegTensor<T>& dst, RegVector<T> value, bool nan_loose) {
  dst.reg[0] = value;
  dst.nan_loose = nan_loose;
}

}  // namespace twin::vf

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_REGISTERS_H_
