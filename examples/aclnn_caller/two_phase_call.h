// A call of an operator's aclnn interface in its usual steps: device and stream; then phase 1,
// workspace, phase 2, synchronisation. A function that fails has printed why.
#ifndef EXAMPLES_ACLNN_CALLER_TWO_PHASE_CALL_H_
#define EXAMPLES_ACLNN_CALLER_TWO_PHASE_CALL_H_

#include <cstdint>
#include <functional>
#include <string>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

// Runs `body` with a stream of device 0 and prints the SoC and `title` first. Returns the program's
// exit code: 0 when body returned true.
int RunOnDevice(const std::string& title, const std::function<bool(aclrtStream)>& body);

using PhaseOne = std::function<int(uint64_t* workspace_size, aclOpExecutor** executor)>;
using PhaseTwo = int (*)(void* workspace, uint64_t workspace_size, aclOpExecutor* executor,
                         aclrtStream stream);

// Runs the two phases of the function `name`; its results are there when this returns true.
bool RunTwoPhases(const std::string& name, const PhaseOne& phase_one, PhaseTwo phase_two,
                  aclrtStream stream);

#endif  // EXAMPLES_ACLNN_CALLER_TWO_PHASE_CALL_H_
