// The header that kernels include: the AscendC programming interface as the twin implements it for
// vector cores. cc/ascendc/README.md says which part lives where.
#ifndef CC_ASCENDC_INCLUDE_KERNEL_OPERATOR_H_
#define CC_ASCENDC_INCLUDE_KERNEL_OPERATOR_H_

#include "cc/ascendc/membase/atomic.h"
#include "cc/ascendc/membase/copy.h"
#include "cc/ascendc/membase/copy_pad.h"
#include "cc/ascendc/membase/core.h"
#include "cc/ascendc/membase/debug.h"
#include "cc/ascendc/membase/float16.h"
#include "cc/ascendc/membase/global_tensor.h"
#include "cc/ascendc/membase/helpers.h"
#include "cc/ascendc/membase/kernel_type.h"
#include "cc/ascendc/membase/local_tensor.h"
#include "cc/ascendc/membase/positions.h"
#include "cc/ascendc/membase/queue.h"
#include "cc/ascendc/membase/sync.h"
#include "cc/ascendc/membase/system.h"
#include "cc/ascendc/membase/target.h"
#include "cc/ascendc/membase/tbuf.h"
#include "cc/ascendc/membase/tbuf_pool.h"
#include "cc/ascendc/membase/tiling.h"
#include "cc/ascendc/membase/tpipe.h"
#include "cc/ascendc/membase/vector/vector.h"
#if __NPU_ARCH__ == 3510
#include "cc/ascendc/reg/reg.h"
#endif

#endif  // CC_ASCENDC_INCLUDE_KERNEL_OPERATOR_H_
