// DataCopy and DataCopyPad on a virtual core: every dtype, odd tails, gaps, padding, large blocks,
// misaligned global memory; guard bytes on both sides of global memory stay as they were and bytes
// are counted.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "cc/ascendc/testing/guarded_buffer.h"
#include "cc/ascendc/testing/kernel_runner.h"
#include "kernel_operator.h"

namespace {

using attnres::testing::GuardedBuffer;
using attnres::testing::KernelRun;
using attnres::testing::RunKernel;

using AscendC::DataCopyExtParams;
using AscendC::DataCopyPadExtParams;
using AscendC::DataCopyParams;
using AscendC::GlobalTensor;
using AscendC::LocalTensor;
using AscendC::TPosition;

constexpr uint64_t kUbBytes = 196608;

template <typename T>
GlobalTensor<T> Global(T* data) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(data);
  return tensor;
}

template <typename T>
void FillDistinct(GuardedBuffer<T>* buffer, uint32_t seed) {
  auto* bytes = reinterpret_cast<uint8_t*>(buffer->data());
  for (size_t i = 0; i < buffer->size() * sizeof(T); ++i) {
    bytes[i] = static_cast<uint8_t>(i * 7 + i / 251 + seed);
  }
}

template <typename T>
class CopyOf : public ::testing::Test {};
using CopyTypes = ::testing::Types<int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t,
                                   uint32_t, float, int64_t, uint64_t>;
TYPED_TEST_SUITE(CopyOf, CopyTypes);

// ---- count form

template <typename T>
void CopyThroughUb(T* src, T* dst, uint32_t count) {
  LocalTensor<T> first(TPosition::VECIN, 0, count);
  LocalTensor<T> second(TPosition::VECOUT, 98304, count);
  AscendC::DataCopy(first, Global(src), count);
  AscendC::DataCopy(second, first, count);
  AscendC::DataCopy(Global(dst), second, count);
}

TYPED_TEST(CopyOf, CountFormRoundsDownToDataBlocks) {
  constexpr uint32_t kPerBlock = 32 / sizeof(TypeParam);
  for (const uint32_t count :
       {0u, 1u, kPerBlock - 1, kPerBlock, kPerBlock + 1, 7 * kPerBlock + 3, 1000u, 8192u}) {
    for (const size_t offset : {0u, 8u, 32u}) {
      GuardedBuffer<TypeParam> src(count, offset);
      GuardedBuffer<TypeParam> dst(count, offset, 0x11);
      FillDistinct(&src, count);
      const KernelRun run = RunKernel(&AscendcTwinEntry<&CopyThroughUb<TypeParam>>, {}, src.data(),
                                      dst.data(), count);
      ASSERT_TRUE(run.status.ok()) << run.status.message;
      const size_t copied = count / kPerBlock * 32;
      ASSERT_EQ(std::memcmp(src.data(), dst.data(), copied), 0) << count;
      for (size_t i = copied; i < count * sizeof(TypeParam); ++i) {
        ASSERT_EQ(reinterpret_cast<uint8_t*>(dst.data())[i], 0x11)
            << "byte " << i << " of " << count << " elements";
      }
      ASSERT_TRUE(dst.GuardsIntact());
      ASSERT_EQ(run.stats.gm_bytes_read, copied);
      ASSERT_EQ(run.stats.gm_bytes_written, copied);
    }
  }
}

// ---- blocks of DataBlocks with gaps

void GatherBlocks(uint8_t* src, uint8_t* dst, DataCopyParams in, DataCopyParams within,
                  DataCopyParams out) {
  LocalTensor<uint8_t> first(TPosition::VECIN, 0, 32768);
  LocalTensor<uint8_t> second(TPosition::VECOUT, 65536, 32768);
  AscendC::DataCopy(first, Global(src), in);
  AscendC::DataCopy(second, first, within);
  AscendC::DataCopy(Global(dst), second, out);
}

TEST(CopyBlocks, GapsOnBothSides) {
  GuardedBuffer<uint8_t> src(32 * 40);
  GuardedBuffer<uint8_t> dst(32 * 40, 0, 0);
  FillDistinct(&src, 1);
  // Blocks 0-2, 7-9, 14-16 of src; spread by 2 in UB; closed up; written with a gap of 1.
  const KernelRun run =
      RunKernel(&AscendcTwinEntry<&GatherBlocks>, {}, src.data(), dst.data(),
                DataCopyParams(3, 3, 4, 2), DataCopyParams(3, 3, 2, 0), DataCopyParams(3, 3, 0, 1));
  ASSERT_TRUE(run.status.ok()) << run.status.message;
  std::vector<uint8_t> expected(32 * 40, 0);
  for (int block = 0; block < 3; ++block) {
    std::memcpy(&expected[block * 4 * 32], &src[block * 7 * 32], 3 * 32);
  }
  EXPECT_EQ(std::memcmp(expected.data(), dst.data(), expected.size()), 0);
  EXPECT_EQ(run.stats.gm_bytes_read, 9u * 32);
  EXPECT_EQ(run.stats.gm_bytes_written, 9u * 32);
}

// ---- DataCopyPad

template <typename T>
void PadRows(T* src, T* dst, uint8_t* ub_image, DataCopyExtParams in, DataCopyPadExtParams<T> pad,
             DataCopyExtParams out, uint32_t ub_bytes) {
  LocalTensor<T> rows(TPosition::VECIN, 0, ub_bytes / sizeof(T));
  LocalTensor<uint8_t> bytes = rows.template ReinterpretCast<uint8_t>();
  for (uint32_t i = 0; i < ub_bytes; ++i) {
    bytes.SetValue(i, 0x77);
  }
  AscendC::DataCopyPad(rows, Global(src), in, pad);
  std::memcpy(ub_image, bytes.Data(), ub_bytes);
  AscendC::DataCopyPad(Global(dst), rows[pad.leftPadding], out);
}

uint32_t AlignUpTo32(uint32_t bytes) { return (bytes + 31) / 32 * 32; }

TYPED_TEST(CopyOf, PadKeepsRowsOfAnyLength) {
  using T = TypeParam;
  for (const uint32_t length :
       {1u, 2u, 3u, 7u, 15u, 16u, 17u, 31u, 33u, 63u, 126u, 127u, 513u, 520u, 1025u}) {
    for (const uint32_t rows : {1u, 3u}) {
      for (const uint32_t gap : {0u, 2u}) {
        const uint32_t row_bytes = length * sizeof(T);
        const uint32_t pitch = AlignUpTo32(row_bytes) + gap * 32;
        GuardedBuffer<T> src(rows * (length + 3));
        GuardedBuffer<T> dst(rows * length, 2 * sizeof(T), 0x11);
        FillDistinct(&src, length);
        std::vector<uint8_t> ub(rows * pitch);
        const KernelRun run = RunKernel(
            &AscendcTwinEntry<&PadRows<T>>, {}, src.data(), dst.data(), ub.data(),
            DataCopyExtParams(static_cast<uint16_t>(rows), row_bytes, 3 * sizeof(T), gap, 0),
            DataCopyPadExtParams<T>(),
            DataCopyExtParams(static_cast<uint16_t>(rows), row_bytes, gap, 0, 0),
            static_cast<uint32_t>(ub.size()));
        ASSERT_TRUE(run.status.ok()) << run.status.message;
        for (uint32_t row = 0; row < rows; ++row) {
          const T* row_src = src.data() + row * (length + 3);
          ASSERT_EQ(std::memcmp(row_src, dst.data() + row * length, row_bytes), 0)
              << "row " << row << " of " << length;
          const uint8_t* row_ub = ub.data() + row * pitch;
          ASSERT_EQ(std::memcmp(row_src, row_ub, row_bytes), 0);
          for (uint32_t at = row_bytes; at < AlignUpTo32(row_bytes); at += sizeof(T)) {
            ASSERT_EQ(std::memcmp(row_ub + at, row_src, sizeof(T)), 0)
                << "the tail holds the first element";
          }
          for (uint32_t at = AlignUpTo32(row_bytes); at < pitch; ++at) {
            ASSERT_EQ(row_ub[at], 0x77) << "the gap is untouched";
          }
        }
        ASSERT_TRUE(dst.GuardsIntact()) << length;
        ASSERT_EQ(run.stats.gm_bytes_read, rows * row_bytes);
        ASSERT_EQ(run.stats.gm_bytes_written, rows * row_bytes);
      }
    }
  }
}

TYPED_TEST(CopyOf, PadFillsLeftAndRight) {
  using T = TypeParam;
  constexpr uint32_t kPerBlock = 32 / sizeof(T);
  const T value = T(5);
  for (uint32_t left = 0; left <= kPerBlock; left += kPerBlock / 2) {
    for (uint32_t right = 1; right <= kPerBlock; right += kPerBlock / 2) {
      const uint32_t length = kPerBlock + 1;
      GuardedBuffer<T> src(length);
      GuardedBuffer<T> dst(length, 0, 0x11);
      FillDistinct(&src, left * 16 + right);
      const uint32_t occupied = AlignUpTo32((left + length + right) * sizeof(T));
      std::vector<uint8_t> ub(occupied + 32);
      const uint32_t bytes = length * sizeof(T);
      // Out from where the data starts: only whole DataBlocks are addressable on a device, so left
      // is one or none.
      const KernelRun run =
          RunKernel(&AscendcTwinEntry<&PadRows<T>>, {}, src.data(), dst.data(), ub.data(),
                    DataCopyExtParams(1, bytes, 0, 0, 0),
                    DataCopyPadExtParams<T>(true, static_cast<uint8_t>(left),
                                            static_cast<uint8_t>(right), value),
                    DataCopyExtParams(1, bytes, 0, 0, 0), static_cast<uint32_t>(ub.size()));
      ASSERT_TRUE(run.status.ok()) << run.status.message;
      ASSERT_EQ(std::memcmp(ub.data() + left * sizeof(T), src.data(), bytes), 0);
      for (uint32_t element = 0; element < occupied / sizeof(T); ++element) {
        if (element < left || element >= left + length) {
          ASSERT_EQ(std::memcmp(ub.data() + element * sizeof(T), &value, sizeof(T)), 0)
              << "element " << element;
        }
      }
      for (uint32_t at = occupied; at < ub.size(); ++at) {
        ASSERT_EQ(ub[at], 0x77);
      }
      ASSERT_EQ(std::memcmp(src.data(), dst.data(), bytes), 0);
      ASSERT_TRUE(dst.GuardsIntact());
    }
  }
}

void OldPadRow(half* src, half* dst, uint16_t* ub_image) {
  LocalTensor<half> row(TPosition::VECIN, 0, 32);
  const AscendC::DataCopyPadParams pad(true, 0, 3, half(2.0f).bits);
  AscendC::DataCopyPad(row, Global(src), DataCopyParams(2, 13 * sizeof(half), 2, 0), pad);
  std::memcpy(ub_image, row.Data(), 64);
  AscendC::DataCopyPad(Global(dst), row, DataCopyParams(2, 13 * sizeof(half), 0, 4));
}

TEST(CopyPad, OlderParameters) {
  GuardedBuffer<half> src(27);
  GuardedBuffer<half> dst(28, 0, 0);
  FillDistinct(&src, 3);
  std::vector<uint16_t> ub(32);
  const KernelRun run =
      RunKernel(&AscendcTwinEntry<&OldPadRow>, {}, src.data(), dst.data(), ub.data());
  ASSERT_TRUE(run.status.ok()) << run.status.message;
  for (int row = 0; row < 2; ++row) {
    EXPECT_EQ(std::memcmp(dst.data() + row * 15, src.data() + row * 14, 26), 0);
    for (int i = 13; i < 16; ++i) {
      EXPECT_EQ(ub[row * 16 + i], 0x4000) << "padding value 2.0";
    }
  }
  EXPECT_EQ(dst[13].bits, 0) << "the gap in global memory is untouched";
}

void CopyNothing(float* data) {
  LocalTensor<float> row(TPosition::VECIN, 0, 8);
  AscendC::DataCopy(row, Global(data), 0);
  AscendC::DataCopyPad(row, Global(data), DataCopyExtParams(1, 0, 0, 0, 0),
                       DataCopyPadExtParams<float>(true, 0, 2, 1.0f));
  AscendC::DataCopyPad(row, Global(data), DataCopyExtParams(0, 4, 0, 0, 0),
                       DataCopyPadExtParams<float>());
  AscendC::DataCopyPad(Global(data), row, DataCopyExtParams(0, 4, 0, 0, 0));
  AscendC::DataCopyPad(Global(data), row, DataCopyExtParams(1, 0, 0, 0, 0));
}

TEST(CopyPad, ZeroLengthIsNoOperation) {
  const KernelRun run =
      RunKernel(&AscendcTwinEntry<&CopyNothing>, {}, static_cast<float*>(nullptr));
  ASSERT_TRUE(run.status.ok()) << run.status.message;
  EXPECT_EQ(run.stats.gm_bytes_read + run.stats.gm_bytes_written, 0u);
}

void CompactRows(uint8_t* src, uint8_t* dst, uint8_t* ub_image) {
  LocalTensor<uint8_t> rows(TPosition::VECIN, 0, 160);
  const DataCopyExtParams params(3, 48, 2, 0, 0);
  AscendC::DataCopyPad<uint8_t, AscendC::PaddingMode::Compact>(
      rows, Global(src), params, DataCopyPadExtParams<uint8_t>(true, 0, 0, 9));
  std::memcpy(ub_image, rows.Data(), 160);
  AscendC::DataCopyPad<uint8_t, AscendC::PaddingMode::Compact>(Global(dst), rows,
                                                               DataCopyExtParams(3, 48, 0, 2, 0));
}

TEST(CopyPad, CompactModeJoinsBlocks) {
  GuardedBuffer<uint8_t> src(150);
  GuardedBuffer<uint8_t> dst(150, 0, 0);
  FillDistinct(&src, 4);
  std::vector<uint8_t> ub(160);
  const KernelRun run =
      RunKernel(&AscendcTwinEntry<&CompactRows>, {}, src.data(), dst.data(), ub.data());
  ASSERT_TRUE(run.status.ok()) << run.status.message;
  for (int row = 0; row < 3; ++row) {
    EXPECT_EQ(std::memcmp(&ub[row * 48], &src[row * 50], 48), 0);
    EXPECT_EQ(std::memcmp(&dst[row * 50], &src[row * 50], 48), 0);
  }
  EXPECT_EQ(ub[144], 9);
  EXPECT_EQ(ub[159], 9);
  EXPECT_TRUE(dst.GuardsIntact());
}

// ---- large blocks bypass the cache

void CopyLarge(uint8_t* src, uint8_t* dst, uint32_t bytes) {
  LocalTensor<uint8_t> block(TPosition::VECIN, 0, bytes);
  AscendC::DataCopyPad(block, Global(src), DataCopyExtParams(1, bytes, 0, 0, 0),
                       DataCopyPadExtParams<uint8_t>());
  AscendC::DataCopyPad(Global(dst), block, DataCopyExtParams(1, bytes, 0, 0, 0));
}

TEST(CopyLarge, EveryMisalignmentAroundTheStreamThreshold) {
  for (const uint32_t bytes :
       {2047u, 2048u, 2049u, 2111u, 4096u, 65537u, static_cast<uint32_t>(kUbBytes)}) {
    for (size_t offset = 0; offset < 66; offset += 3) {
      GuardedBuffer<uint8_t> src(bytes, 1);
      GuardedBuffer<uint8_t> dst(bytes, offset, 0);
      FillDistinct(&src, static_cast<uint32_t>(offset));
      const KernelRun run =
          RunKernel(&AscendcTwinEntry<&CopyLarge>, {}, src.data(), dst.data(), bytes);
      ASSERT_TRUE(run.status.ok()) << run.status.message;
      ASSERT_EQ(std::memcmp(src.data(), dst.data(), bytes), 0)
          << bytes << " bytes at offset " << offset;
      ASSERT_TRUE(dst.GuardsIntact()) << bytes << " bytes at offset " << offset;
    }
  }
}

}  // namespace
