// TBufType: one buffer that TPipe has cut from UB, and its state. Queues (queue.h) and TBuf
// (tbuf.h) point to such records, which live in the pipe.
#ifndef CC_ASCENDC_MEMBASE_BUFFER_H_
#define CC_ASCENDC_MEMBASE_BUFFER_H_

#include "cc/ascendc/membase/core.h"
#include "cc/ascendc/membase/local_tensor.h"
#include "cc/ascendc/membase/positions.h"

ASCENDC_TWIN_BEGIN

enum class TBufState : uint8_t { FREE = 0, OCCUPIED, ENQUE, DEQUE };

// FREE -> AllocTensor -> OCCUPIED -> EnQue -> ENQUE -> DeQue -> DEQUE -> FreeTensor -> FREE; a
// dequeued buffer may be enqueued again.
struct TBufType {
  uint32_t address;  // byte offset in UB
  uint32_t dataLen;  // bytes
  TBufState state;
};

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_BUFFER_H_
