// What the last reduction left in registers of the vector unit, read by the scalar unit:
// GetReduceRepeatSumSpr after ReduceSum of a count, GetReduceRepeatMaxMinSpr after ReduceRepeat,
// ReduceMax and ReduceMin; and their names before CANN 9.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_REDUCE_REGISTERS_H_
#define CC_ASCENDC_MEMBASE_VECTOR_REDUCE_REGISTERS_H_

#include "cc/ascendc/membase/tell.h"
#include "cc/ascendc/membase/vector/reduce.h"

ASCENDC_TWIN_BEGIN

template <typename T>
T GetReduceRepeatSumSpr(ASCENDC_TWIN_ONLY_PLACE) {
  static_assert(twin::kReducible<T>, "reductions exist for half and float");
  ASCENDC_TWIN_AT;
  twin::AwaitVector();
  return static_cast<T>(twin::State().vector.repeat_sum);
}
template <typename T>
T GetAccVal(ASCENDC_TWIN_ONLY_PLACE) {
  ASCENDC_TWIN_AT;
  return GetReduceRepeatSumSpr<T>();
}

// The index is an unsigned integer in the bits of T.
template <typename T>
void GetReduceRepeatMaxMinSpr(T& maxMinValue, T& maxMinIndex ASCENDC_TWIN_PLACE) {
  static_assert(twin::kReducible<T>, "reductions exist for half and float");
  ASCENDC_TWIN_AT;
  twin::AwaitVector();
  const auto index = static_cast<twin::Bits<T>>(twin::State().vector.repeat_extreme_index);
  maxMinValue = static_cast<T>(twin::State().vector.repeat_extreme);
  __builtin_memcpy(&maxMinIndex, &index, sizeof(index));
}
template <typename T>
void GetReduceRepeatMaxMinSpr(T& maxMinValue ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  T index;
  GetReduceRepeatMaxMinSpr(maxMinValue, index);
}
template <typename T>
void GetReduceMaxMinCount(T& maxMinValue, T& maxMinIndex ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  GetReduceRepeatMaxMinSpr(maxMinValue, maxMinIndex);
}
template <typename T>
void GetReduceMaxMinCount(T& maxMinValue ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  GetReduceRepeatMaxMinSpr(maxMinValue);
}

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_REDUCE_REGISTERS_H_
