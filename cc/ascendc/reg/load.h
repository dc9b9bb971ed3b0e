// Loads from UB into registers: LoadAlign (before CANN 9: DataCopy), LoadUnAlign (DataCopyUnAlign),
// Load, and LoadAlign of a mask. gather.h loads by index.
//
// The twin neither needs nor checks alignment in run mode. On a device the address must be a
// multiple of 32 bytes, of the element for DIST_BRC_*, of 16 for DIST_E2B_B16 and the masks'
// DIST_US. A load that the observer of an observed kernel denies gives zeros.
#ifndef CC_ASCENDC_REG_LOAD_H_
#define CC_ASCENDC_REG_LOAD_H_

#include "cc/ascendc/membase/core.h"
#include "cc/ascendc/reg/vector_access.h"

ASCENDC_TWIN_REG_BEGIN

namespace twin::vf {

template <uint32_t kLanes, typename E>
ASCENDC_TWIN_INLINE Vector<E, kLanes> Broadcast(const void* address) {
  E value;
  __builtin_memcpy(&value, address, sizeof(value));
  return Splat<kLanes>(value);
}

// kLanes elements of Narrow, each with zeros above it to fill a Wide.
template <typename Wide, typename Narrow>
ASCENDC_TWIN_INLINE Vector<Wide, kRegLanes<Wide>> LoadWidened(const void* address) {
  constexpr uint32_t kLanes = kRegLanes<Wide>;
  return __builtin_convertvector(LoadVector<Vector<Narrow, kLanes>>(address), Vector<Wide, kLanes>);
}

template <Reg::LoadDist kDist>
ASCENDC_TWIN_INLINE auto LoadDistributed(const void* address) {
  using Reg::LoadDist;
  if constexpr (kDist == LoadDist::DIST_NORM) {
    return LoadVector<Vector<uint32_t, 64>>(address);
  } else if constexpr (kDist == LoadDist::DIST_BRC_B8) {
    return Broadcast<256, uint8_t>(address);
  } else if constexpr (kDist == LoadDist::DIST_BRC_B16) {
    return Broadcast<128, uint16_t>(address);
  } else if constexpr (kDist == LoadDist::DIST_BRC_B32) {
    return Broadcast<64, uint32_t>(address);
  } else if constexpr (kDist == LoadDist::DIST_US_B8) {
    const auto once = LoadWidened<uint16_t, uint8_t>(address);
    return once | (once << 8);
  } else if constexpr (kDist == LoadDist::DIST_US_B16) {
    const auto once = LoadWidened<uint32_t, uint16_t>(address);
    return once | (once << 16);
  } else if constexpr (kDist == LoadDist::DIST_DS_B8) {
    return __builtin_convertvector(LoadVector<Vector<uint16_t, 256>>(address),
                                   Vector<uint8_t, 256>);
  } else if constexpr (kDist == LoadDist::DIST_DS_B16) {
    return __builtin_convertvector(LoadVector<Vector<uint32_t, 128>>(address),
                                   Vector<uint16_t, 128>);
  } else if constexpr (kDist == LoadDist::DIST_UNPACK_B8) {
    return LoadWidened<uint16_t, uint8_t>(address);
  } else if constexpr (kDist == LoadDist::DIST_UNPACK_B16) {
    return LoadWidened<uint32_t, uint16_t>(address);
  } else if constexpr (kDist == LoadDist::DIST_UNPACK_B32) {
    return LoadWidened<uint64_t, uint32_t>(address);
  } else if constexpr (kDist == LoadDist::DIST_UNPACK4_B8) {
    return LoadWidened<uint32_t, uint8_t>(address);
  } else if constexpr (kDist == LoadDist::DIST_BLK) {
    return Repeated<64, 1>(LoadVector<Vector<uint32_t, 8>>(address));
  } else if constexpr (kDist == LoadDist::DIST_E2B_B16) {
    return Repeated<128, 16>(LoadVector<Vector<uint16_t, 8>>(address));
  } else {
    static_assert(kDist == LoadDist::DIST_E2B_B32,
                  "a distribution for two registers, or one that "
                  "950 does not document");
    return Repeated<64, 8>(LoadVector<Vector<uint32_t, 8>>(address));
  }
}

// The bytes that a distribution loads, and what its address must be a multiple of.
constexpr uint32_t LoadedBytes(Reg::LoadDist dist) {
  using Reg::LoadDist;
  switch (dist) {
    case LoadDist::DIST_BRC_B8:
      return 1;
    case LoadDist::DIST_BRC_B16:
      return 2;
    case LoadDist::DIST_BRC_B32:
      return 4;
    case LoadDist::DIST_E2B_B16:
      return 16;
    case LoadDist::DIST_E2B_B32:
    case LoadDist::DIST_BLK:
      return 32;
    case LoadDist::DIST_UNPACK4_B8:
      return 64;
    case LoadDist::DIST_US_B8:
    case LoadDist::DIST_US_B16:
    case LoadDist::DIST_UNPACK_B8:
    case LoadDist::DIST_UNPACK_B16:
    case LoadDist::DIST_UNPACK_B32:
      return 128;
    case LoadDist::DIST_DS_B8:
    case LoadDist::DIST_DS_B16:
      return 512;
    default:
      return kRegBytes;
  }
}
constexpr uint32_t LoadAlignment(Reg::LoadDist dist) {
  return LoadedBytes(dist) < 32 ? LoadedBytes(dist) : 32;
}

// Lines of host memory that each load of a register asks for early (read_ahead.h): a vector
// function that passes over rows then asks for about as much as it reads.
constexpr uint32_t kReadAheadLines = 2;

template <Reg::LoadDist kDist, uint32_t kAlignment = LoadAlignment(kDist), typename T>
ASCENDC_TWIN_INLINE void LoadInto(Reg::RegTensor<T>& dst, const void* address) {
  static_assert(
      sizeof(T) < 8 || kDist == Reg::LoadDist::DIST_NORM || kDist == Reg::LoadDist::DIST_UNPACK_B32,
      "64-bit elements have DIST_NORM only");
  if (!MayLoad(address, LoadedBytes(kDist), kAlignment)) {
    return Assign(dst, RegVector<T>{}, false);
  }
  if constexpr (kDist == Reg::LoadDist::DIST_NORM || kDist == Reg::LoadDist::DIST_UNPACK_B16) {
    State().read_ahead.AskForLines(kReadAheadLines);
  }
  Assign(dst, BitCast<RegVector<T>>(LoadDistributed<kDist>(address)), false);
}

template <typename E>
ASCENDC_TWIN_INLINE void LoadEvenOdd(Vector<E, kRegBytes / sizeof(E)>* even,
                                     Vector<E, kRegBytes / sizeof(E)>* odd, const void* address) {
  using V = Vector<E, kRegBytes / sizeof(E)>;
  const V low = LoadVector<V>(address);
  const V high = LoadVector<V>(static_cast<const uint8_t*>(address) + kRegBytes);
  *even = Strided<kRegBytes / sizeof(E), 0, 2>(low, high);
  *odd = Strided<kRegBytes / sizeof(E), 1, 2>(low, high);
}

template <Reg::LoadDist kDist, typename T>
ASCENDC_TWIN_INLINE void LoadIntoTwo(Reg::RegTensor<T>& dst0, Reg::RegTensor<T>& dst1,
                                     const void* address) {
  using Reg::LoadDist;
  constexpr bool kB8 = kDist == LoadDist::DIST_DINTLV_B8;
  constexpr bool kB16 = kDist == LoadDist::DIST_DINTLV_B16;
  static_assert(kB8 || kB16 || kDist == LoadDist::DIST_DINTLV_B32,
                "two registers are loaded with DIST_DINTLV_B8, _B16 or _B32");
  using E = std::conditional_t<kB8, uint8_t, std::conditional_t<kB16, uint16_t, uint32_t>>;
  Vector<E, kRegBytes / sizeof(E)> even = {};
  Vector<E, kRegBytes / sizeof(E)> odd = {};
  if (MayLoad(address, 2 * kRegBytes, 32)) {
    LoadEvenOdd<E>(&even, &odd, address);
  }
  Assign(dst0, BitCast<RegVector<T>>(even), false);
  Assign(dst1, BitCast<RegVector<T>>(odd), false);
}

// The address before it moves by `stride` elements.
template <Reg::PostLiteral kMode, typename T, typename Stride>
ASCENDC_TWIN_INLINE T* PostUpdate(T*& address, Stride stride) {
  static_assert(kMode == Reg::PostLiteral::POST_MODE_UPDATE,
                "this instruction has POST_MODE_UPDATE only");
  T* const before = address;
  address += stride;
  return before;
}

// Eight data blocks, `block_stride` blocks apart; a block without an active element becomes 0 and
// its memory is not touched.
template <typename T>
ASCENDC_TWIN_INLINE void LoadBlocks(Reg::RegTensor<T>& dst, const void* address,
                                    uint32_t block_stride, const Reg::MaskReg& mask) {
  constexpr uint32_t kBlockBytes = 32;
  alignas(64) uint8_t bytes[kRegBytes] = {};
  alignas(64) uint64_t active[kRegBytes / 8];
  StoreVector(active, BitCast<Vector<uint64_t, 32>>(ActiveLanes<T>(mask)));
  const uint8_t* block = static_cast<const uint8_t*>(address);
  for (uint32_t i = 0; i < 8; ++i) {
    const uint64_t* lanes = active + 4 * i;
    const uint8_t* const source = block + size_t{kBlockBytes} * block_stride * i;
    if ((lanes[0] | lanes[1] | lanes[2] | lanes[3]) != 0 &&
        MayLoad(source, kBlockBytes, kBlockBytes)) {
      __builtin_memcpy(bytes + kBlockBytes * i, source, kBlockBytes);
    }
  }
  Assign(dst, LoadVector<RegVector<T>>(bytes), false);
}

template <Reg::MaskDist kDist>
ASCENDC_TWIN_INLINE void LoadMask(Reg::MaskReg& mask, const void* address) {
  constexpr uint32_t kBytes = kRegBytes / 8 * (kDist == Reg::MaskDist::DIST_DS ? 2 : 1) /
                              (kDist == Reg::MaskDist::DIST_US ? 2 : 1);
  if (!MayLoad(address, kBytes, kBytes < 32 ? kBytes : 32)) {
    mask.bits = Vector<uint8_t, kRegBytes>{};
    return;
  }
  const uint8_t* const bytes = static_cast<const uint8_t*>(address);
  alignas(64) uint8_t bits[kRegBytes];
  for (uint32_t i = 0; i < kRegBytes; ++i) {
    const uint32_t bit = kDist == Reg::MaskDist::DIST_US   ? i / 2
                         : kDist == Reg::MaskDist::DIST_DS ? i * 2
                                                           : i;
    bits[i] = (bytes[bit / 8] >> (bit % 8)) & 1;
  }
  mask.bits = LoadVector<Vector<uint8_t, kRegBytes>>(bits);
}

}  // namespace twin::vf

namespace Reg {

template <typename T = DefaultType, LoadDist dist = LoadDist::DIST_NORM, typename U,
          twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void LoadAlign(U& dstReg, __ubuf__ T* srcAddr ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("LoadAlign", U);
  twin::vf::LoadInto<dist>(dstReg, srcAddr);
}
// Strides in elements.
template <typename T = DefaultType, PostLiteral postMode, LoadDist dist = LoadDist::DIST_NORM,
          typename U, twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void LoadAlign(U& dstReg, __ubuf__ T*& srcAddr,
                                   int32_t postUpdateStride ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("LoadAlign", U);
  twin::vf::LoadInto<dist>(dstReg, twin::vf::PostUpdate<postMode>(srcAddr, postUpdateStride));
}
template <typename T = DefaultType, LoadDist dist = LoadDist::DIST_NORM, typename U,
          twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void LoadAlign(U& dstReg, __ubuf__ T* srcAddr,
                                   AddrReg offset ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("LoadAlign", U);
  twin::vf::LoadInto<dist>(dstReg, srcAddr + offset.offset);
}
template <typename T = DefaultType, LoadDist dist, typename U, twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void LoadAlign(U& dstReg0, U& dstReg1, __ubuf__ T* srcAddr ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("LoadAlign", U);
  twin::vf::LoadIntoTwo<dist>(dstReg0, dstReg1, srcAddr);
}
template <typename T = DefaultType, PostLiteral postMode, LoadDist dist, typename U,
          twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void LoadAlign(U& dstReg0, U& dstReg1, __ubuf__ T*& srcAddr,
                                   int32_t postUpdateStride ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("LoadAlign", U);
  twin::vf::LoadIntoTwo<dist>(dstReg0, dstReg1,
                              twin::vf::PostUpdate<postMode>(srcAddr, postUpdateStride));
}
template <typename T = DefaultType, LoadDist dist, typename U, twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void LoadAlign(U& dstReg0, U& dstReg1, __ubuf__ T* srcAddr,
                                   AddrReg offset ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("LoadAlign", U);
  twin::vf::LoadIntoTwo<dist>(dstReg0, dstReg1, srcAddr + offset.offset);
}
// By data blocks of 32 bytes; strides in data blocks.
template <typename T = DefaultType, DataCopyMode dataMode, typename U,
          twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void LoadAlign(U& dstReg, __ubuf__ T* srcAddr, uint32_t dataBlockStride,
                                   MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("LoadAlign", U);
  twin::vf::LoadBlocks(dstReg, srcAddr, dataBlockStride, mask);
}
template <typename T = DefaultType, DataCopyMode dataMode, PostLiteral postMode, typename U,
          twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void LoadAlign(U& dstReg, __ubuf__ T*& srcAddr, uint32_t dataBlockStride,
                                   uint32_t repeatStride, MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("LoadAlign", U);
  const size_t elements = size_t{repeatStride} * (32 / sizeof(T));
  if constexpr (postMode == PostLiteral::POST_MODE_UPDATE) {
    twin::vf::LoadBlocks(dstReg, srcAddr, dataBlockStride, mask);
    srcAddr += elements;
  } else {
    twin::vf::LoadBlocks(dstReg, srcAddr + elements, dataBlockStride, mask);
  }
}

// 256 bytes from any address.
template <typename T>
ASCENDC_TWIN_INLINE void LoadUnAlignPre(UnalignRegForLoad&, __ubuf__ T*) {
  twin::vf::Operation<T>("LoadUnAlignPre");
}
template <typename T>
ASCENDC_TWIN_INLINE void LoadUnAlignPre(UnalignRegForLoad&, __ubuf__ T*, AddrReg&) {
  twin::vf::Operation<T>("LoadUnAlignPre");
}
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE,
          typename U>
ASCENDC_TWIN_INLINE void LoadUnAlign(U& dstReg, UnalignRegForLoad&, __ubuf__ T*& srcAddr,
                                     uint32_t postUpdateStride ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("LoadUnAlign", U);
  twin::vf::LoadInto<LoadDist::DIST_NORM, 1>(
      dstReg, twin::vf::PostUpdate<postMode>(srcAddr, postUpdateStride));
}
template <typename T = DefaultType, typename U>
ASCENDC_TWIN_INLINE void LoadUnAlign(U& dstReg, UnalignRegForLoad&,
                                     __ubuf__ T* srcAddr ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("LoadUnAlign", U);
  twin::vf::LoadInto<LoadDist::DIST_NORM, 1>(dstReg, srcAddr);
}
template <typename T = DefaultType, typename U>
ASCENDC_TWIN_INLINE void LoadUnAlign(U& dstReg, UnalignRegForLoad&, __ubuf__ T*& srcAddr,
                                     AddrReg& areg, uint32_t /*inc*/ ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("LoadUnAlign", U);
  twin::vf::LoadInto<LoadDist::DIST_NORM, 1>(dstReg, srcAddr + areg.offset);
}
template <typename T = DefaultType, typename U>
ASCENDC_TWIN_INLINE void Load(U& dstReg, __ubuf__ T* srcAddr ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("Load", U);
  twin::vf::LoadInto<LoadDist::DIST_NORM, 1>(dstReg, srcAddr);
}

// The bits of a mask, 32 bytes; DIST_US: 16 bytes, each bit twice; DIST_DS: every other bit of 64.
template <typename T, MaskDist dist = MaskDist::DIST_NORM>
ASCENDC_TWIN_INLINE void LoadAlign(MaskReg& mask, __ubuf__ T* srcAddr,
                                   AddrReg offset ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("LoadAlign", MaskReg);
  twin::vf::LoadMask<dist>(mask, srcAddr + offset.offset);
}
template <typename T, MaskDist dist = MaskDist::DIST_NORM>
ASCENDC_TWIN_INLINE void LoadAlign(MaskReg& mask, __ubuf__ T* srcAddr ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("LoadAlign", MaskReg);
  twin::vf::LoadMask<dist>(mask, srcAddr);
}
// `offset` is in bytes.
template <typename T, PostLiteral postMode, MaskDist dist = MaskDist::DIST_NORM>
ASCENDC_TWIN_INLINE void LoadAlign(MaskReg& mask, __ubuf__ T*& srcAddr,
                                   int32_t offset ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("LoadAlign", MaskReg);
  static_assert(postMode == PostLiteral::POST_MODE_UPDATE, "masks have POST_MODE_UPDATE only");
  twin::vf::LoadMask<dist>(mask, srcAddr);
  srcAddr = reinterpret_cast<__ubuf__ T*>(reinterpret_cast<uintptr_t>(srcAddr) +
                                          static_cast<uintptr_t>(intptr_t{offset}));
}

}  // namespace Reg

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_LOAD_H_
