// Comparing places of sources.
#include "cc/ascendc/checks/options.h"

namespace attnres::checks {

bool PathEndsIn(const std::string& path, const std::string& end) {
  if (path.size() < end.size() || path.compare(path.size() - end.size(), end.size(), end) != 0) {
    return false;
  }
  return path.size() == end.size() || end.empty() || path[path.size() - end.size() - 1] == '/';
}

bool IsAt(const AscendcTwinPlace& place, const SourcePlace& site) {
  return place.line == site.line && (site.column == 0 || place.column == site.column) &&
         place.file != nullptr && PathEndsIn(place.file, site.file);
}

}  // namespace attnres::checks
