// Every register-based instruction: what kernel_operator.h includes for arch35.
#ifndef CC_ASCENDC_REG_REG_H_
#define CC_ASCENDC_REG_REG_H_

#include "cc/ascendc/reg/binary.h"
#include "cc/ascendc/reg/call.h"
#include "cc/ascendc/reg/carry.h"
#include "cc/ascendc/reg/cast.h"
#include "cc/ascendc/reg/compare.h"
#include "cc/ascendc/reg/data_copy.h"
#include "cc/ascendc/reg/fused.h"
#include "cc/ascendc/reg/gather.h"
#include "cc/ascendc/reg/histograms.h"
#include "cc/ascendc/reg/load.h"
#include "cc/ascendc/reg/logic.h"
#include "cc/ascendc/reg/mask.h"
#include "cc/ascendc/reg/mask_transfer.h"
#include "cc/ascendc/reg/pack.h"
#include "cc/ascendc/reg/params.h"
#include "cc/ascendc/reg/rearrange.h"
#include "cc/ascendc/reg/reduce.h"
#include "cc/ascendc/reg/registers.h"
#include "cc/ascendc/reg/scalar.h"
#include "cc/ascendc/reg/squeeze.h"
#include "cc/ascendc/reg/store.h"
#include "cc/ascendc/reg/unary.h"

#endif  // CC_ASCENDC_REG_REG_H_
