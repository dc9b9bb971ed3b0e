// A TimelineResult as one JSON object. Times are microseconds; docs/time_mode.md explains the keys.
#ifndef CC_ASCENDC_TIMELINE_RESULT_JSON_H_
#define CC_ASCENDC_TIMELINE_RESULT_JSON_H_

#include <string>

#include "cc/ascendc/timeline/result.h"

namespace attnres::timeline {

std::string ResultJson(const TimelineResult& result);

}  // namespace attnres::timeline

#endif  // CC_ASCENDC_TIMELINE_RESULT_JSON_H_
