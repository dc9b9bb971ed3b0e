// Small public helpers: rounding of sizes, type traits, Std. And LocalMemAllocator, the style
// without TPipe.
#ifndef CC_ASCENDC_MEMBASE_HELPERS_H_
#define CC_ASCENDC_MEMBASE_HELPERS_H_

#include <type_traits>

#include "cc/ascendc/membase/local_tensor.h"
#include "cc/ascendc/membase/place.h"
#include "cc/ascendc/membase/positions.h"
#include "cc/ascendc/membase/tell.h"
#include "cc/ascendc/membase/transfer.h"

ASCENDC_TWIN_BEGIN

constexpr uint32_t ONE_BLK_SIZE = 32;

constexpr uint32_t DivCeil(uint32_t a, uint32_t b) { return (a + b - 1) / b; }
constexpr uint32_t AlignUp(uint32_t a, uint32_t b) { return DivCeil(a, b) * b; }
constexpr uint32_t ConstCeil(uint32_t a, uint32_t b) { return DivCeil(a, b); }
constexpr uint32_t Ceil(uint32_t a, uint32_t b) { return DivCeil(a, b); }
// 0 for a divisor of 0.
constexpr int32_t CeilDivision(int32_t num1, int32_t num2) {
  return num2 == 0 ? 0 : (num1 + num2 - 1) / num2;
}

template <typename T, typename U>
using IsSameType = std::is_same<T, U>;

namespace Std {

using std::conditional;
using std::conditional_t;
using std::decay_t;
using std::enable_if;
using std::enable_if_t;
using std::false_type;
using std::integral_constant;
using std::is_base_of;
using std::is_convertible;
using std::is_floating_point;
using std::is_integral;
using std::is_same;
using std::is_same_v;
using std::remove_cv;
using std::remove_cv_t;
using std::remove_reference;
using std::true_type;

template <typename T, typename U>
constexpr auto min(const T& src0, const U& src1) {
  return src1 < src0 ? static_cast<std::common_type_t<T, U>>(src1)
                     : static_cast<std::common_type_t<T, U>>(src0);
}
template <typename T, typename U>
constexpr auto max(const T& src0, const U& src1) {
  return src0 < src1 ? static_cast<std::common_type_t<T, U>>(src1)
                     : static_cast<std::common_type_t<T, U>>(src0);
}

}  // namespace Std

// Hands out UB from its start, in DataBlocks. Sizes are in elements.
template <Hardware hard = Hardware::UB>
class LocalMemAllocator {
  static_assert(hard == Hardware::UB, "the twin has vector cores only: no memory but UB");

 public:
  uint32_t GetCurAddr() const { return head_; }

  template <TPosition pos, class DataType>
  LocalTensor<DataType> Alloc(uint32_t tileSize ASCENDC_TWIN_PLACE) {
    ASCENDC_TWIN_AT;
    const uint64_t end = head_ + twin::AlignToDataBlock(uint64_t{tileSize} * sizeof(DataType));
    if (end > twin::Core()->ub_bytes) {
      twin::FailUbOverflow(end);
    }
    const LocalTensor<DataType> tensor(pos, head_, tileSize);
    twin::Tell(&AscendcTwinObserver::buffer, head_, static_cast<uint32_t>(end - head_));
    head_ = static_cast<uint32_t>(end);
    return tensor;
  }
  template <TPosition pos, class DataType, uint32_t tileSize>
  LocalTensor<DataType> Alloc(ASCENDC_TWIN_ONLY_PLACE) {
    ASCENDC_TWIN_AT;
    return Alloc<pos, DataType>(tileSize);
  }
  template <class DataType>
  LocalTensor<DataType> Alloc(uint32_t tileSize ASCENDC_TWIN_PLACE) {
    ASCENDC_TWIN_AT;
    return Alloc<TPosition::VECCALC, DataType>(tileSize);
  }
  template <class DataType, uint32_t tileSize>
  LocalTensor<DataType> Alloc(ASCENDC_TWIN_ONLY_PLACE) {
    ASCENDC_TWIN_AT;
    return Alloc<TPosition::VECCALC, DataType>(tileSize);
  }

 private:
  uint32_t head_ = 0;
};

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_HELPERS_H_
