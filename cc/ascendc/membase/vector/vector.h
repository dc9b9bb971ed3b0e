// All memory-based vector instructions. kernel_operator.h includes this file.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_VECTOR_H_
#define CC_ASCENDC_MEMBASE_VECTOR_VECTOR_H_

#include "cc/ascendc/membase/vector/binary.h"
#include "cc/ascendc/membase/vector/cast.h"
#include "cc/ascendc/membase/vector/compare.h"
#include "cc/ascendc/membase/vector/compound.h"
#include "cc/ascendc/membase/vector/fill.h"
#include "cc/ascendc/membase/vector/mask.h"
#include "cc/ascendc/membase/vector/move.h"
#include "cc/ascendc/membase/vector/params.h"
#include "cc/ascendc/membase/vector/reduce.h"
#include "cc/ascendc/membase/vector/reduce_old_names.h"
#include "cc/ascendc/membase/vector/reduce_registers.h"
#include "cc/ascendc/membase/vector/scalar.h"
#include "cc/ascendc/membase/vector/select.h"
#include "cc/ascendc/membase/vector/unary.h"

#endif  // CC_ASCENDC_MEMBASE_VECTOR_VECTOR_H_
