// PrintLog: what the cores of a launch print, in an order that does not depend on threads: core by
// core, each in program order. dump_text.h makes the text of a tensor.
//
// The lowest core that has not ended is heard at once; lines of higher ones are kept until it is
// their turn, at the latest until the launch ends.
#ifndef CC_ASCENDC_LAUNCH_PRINT_LOG_H_
#define CC_ASCENDC_LAUNCH_PRINT_LOG_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "cc/ascendc/launch/kernel_abi.h"
#include "cc/ascendc/launch/launch.h"

namespace attnres::launch {

class PrintLog {
 public:
  // `launch` must live until Finish.
  void Begin(const Launch& launch);
  // False: nobody listens, and nothing is kept.
  bool enabled() const { return launch_->print != nullptr; }

  // `text`: lines, with or without the last end of line. Each gets `place`, which may be null.
  void Add(uint32_t block, const AscendcTwinPlace* place, const char* text);
  void CoreEnded(uint32_t block);
  // Hands out what cores that did not end have printed. Precondition: no core runs.
  void Finish();

 private:
  void Deliver(uint32_t block);

  const Launch* launch_ = nullptr;
  std::mutex mutex_;
  uint32_t turn_ = 0;  // the lowest core that has not ended
  std::vector<bool> has_ended_;
  std::map<uint32_t, std::vector<std::string>> kept_;
};

}  // namespace attnres::launch

#endif  // CC_ASCENDC_LAUNCH_PRINT_LOG_H_
