// The pipes of a vector core as observers number them: of a pipe_t, of an event, of a queue.
#ifndef CC_ASCENDC_MEMBASE_PIPES_H_
#define CC_ASCENDC_MEMBASE_PIPES_H_

#include "cc/ascendc/membase/positions.h"
#include "cc/ascendc/observe/observer_abi.h"

ASCENDC_TWIN_BEGIN

namespace twin {

constexpr uint8_t kPipeS = kAscendcTwinPipeS;
constexpr uint8_t kPipeV = kAscendcTwinPipeV;
constexpr uint8_t kPipeMte2 = kAscendcTwinPipeMte2;
constexpr uint8_t kPipeMte3 = kAscendcTwinPipeMte3;
constexpr uint8_t kPipeAll = kAscendcTwinPipeAll;
constexpr uint8_t kNoPipe = 254;  // of the matrix unit, which a vector core does not have

constexpr uint8_t PipeOf(pipe_t pipe) {
  switch (pipe) {
    case PIPE_S:
      return kPipeS;
    case PIPE_V:
      return kPipeV;
    case PIPE_MTE2:
      return kPipeMte2;
    case PIPE_MTE3:
      return kPipeMte3;
    case PIPE_ALL:
      return kPipeAll;
    default:
      return kNoPipe;
  }
}

// From which pipe to which a flag or a queue's buffer goes.
struct PipePair {
  uint8_t source;
  uint8_t target;
};

constexpr PipePair PipesOf(HardEvent event) {
  switch (event) {
    case HardEvent::MTE2_V:
      return {kPipeMte2, kPipeV};
    case HardEvent::V_MTE2:
      return {kPipeV, kPipeMte2};
    case HardEvent::MTE3_V:
      return {kPipeMte3, kPipeV};
    case HardEvent::V_MTE3:
      return {kPipeV, kPipeMte3};
    case HardEvent::V_V:
      return {kPipeV, kPipeV};
    case HardEvent::MTE3_MTE2:
      return {kPipeMte3, kPipeMte2};
    case HardEvent::MTE2_MTE3:
      return {kPipeMte2, kPipeMte3};
    case HardEvent::S_V:
      return {kPipeS, kPipeV};
    case HardEvent::V_S:
      return {kPipeV, kPipeS};
    case HardEvent::S_MTE2:
      return {kPipeS, kPipeMte2};
    case HardEvent::MTE2_S:
      return {kPipeMte2, kPipeS};
    case HardEvent::S_MTE3:
      return {kPipeS, kPipeMte3};
    case HardEvent::MTE3_S:
      return {kPipeMte3, kPipeS};
    default:
      return {kNoPipe, kNoPipe};
  }
}

// The pipes that fill and use the buffers of a queue from `src` to `dst`.
constexpr PipePair PipesOf(TPosition src, TPosition dst) {
  const bool copied_in = src == TPosition::GM || src == TPosition::VECIN;
  const bool copied_out = dst == TPosition::GM || dst == TPosition::VECOUT;
  return {copied_in ? kPipeMte2 : kPipeV, copied_out ? kPipeMte3 : kPipeV};
}

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_PIPES_H_
