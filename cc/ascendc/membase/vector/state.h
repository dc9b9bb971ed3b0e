// The registers of one core's vector unit that outlive an instruction: mask and mask mode,
// quantisation scale, compare mask, and what reductions and Squeeze leave behind. CoreState
// (../core.h) holds one; mask.h sets the mask.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_STATE_H_
#define CC_ASCENDC_MEMBASE_VECTOR_STATE_H_

#include "cc/ascendc/membase/target.h"

ASCENDC_TWIN_BEGIN

namespace twin {

// What the scalar unit sets for the instructions that it issues from then on.
struct MaskState {
  uint64_t mask_low = ~uint64_t{0};
  uint64_t mask_high = ~uint64_t{0};
  bool counter_mode = false;  // then mask_low is the number of elements of the whole instruction
  float deq_scale = 1.0f;     // SetDeqScale, for Cast int32_t -> half
};

// And what the vector unit itself writes.
struct VectorState : MaskState {
  uint64_t compare_mask[2] = {0, 0};  // written by Compare without dst, read by Select mode 0
  float repeat_sum = 0.0f;            // GetReduceRepeatSumSpr
  float repeat_extreme = 0.0f;        // GetReduceRepeatMaxMinSpr
  uint32_t repeat_extreme_index = 0;
  uint64_t gathered = 0;          // what the last GatherMask kept
  uint32_t squeezed_bytes = 0;    // arch35, Reg: what the last Squeeze kept,
  uint32_t address_register = 0;  // and the bytes that StoreUnAlign has stored of such (AR)
#if ASCENDC_TWIN_OBSERVED
  bool in_function = false;  // arch35, Reg: a vector function or a block of one runs
#endif
};

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_STATE_H_
