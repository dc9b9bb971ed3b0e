// The text of a tensor that a kernel prints with DumpTensor.
#ifndef CC_ASCENDC_LAUNCH_DUMP_TEXT_H_
#define CC_ASCENDC_LAUNCH_DUMP_TEXT_H_

#include <string>

#include "cc/ascendc/launch/kernel_abi.h"

namespace attnres::launch {

// A line that says what it is, then the elements: 16 on a line behind the index of the first, or,
// with a shape, nested brackets with a line for each row and "-" where the data end before the
// shape. However many there are, all are printed. Numbers have as many digits as tell the values of
// their type apart.
std::string DumpText(const AscendcTwinDump& dump);

}  // namespace attnres::launch

#endif  // CC_ASCENDC_LAUNCH_DUMP_TEXT_H_
