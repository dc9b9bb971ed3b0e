// Comparing places of sources and calls.
#include "cc/ascendc/checks/options.h"

#include <algorithm>

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

namespace {

bool IsSamePlace(const SourcePlace& a, const SourcePlace& b) {
  return a.line == b.line && a.column == b.column && a.file == b.file;
}

}  // namespace

CallSite* FindSame(std::vector<CallSite>* sites, const CallSite& site) {
  const auto found = std::find_if(sites->begin(), sites->end(), [&](const CallSite& other) {
    return other.kind == site.kind && other.ordinal == site.ordinal &&
           IsSamePlace(other.place, site.place) && IsSamePlace(other.after, site.after);
  });
  return found == sites->end() ? nullptr : &*found;
}

void AddTensor(const std::string& name, CallSite* site) {
  if (std::find(site->tensors.begin(), site->tensors.end(), name) == site->tensors.end()) {
    site->tensors.push_back(name);
  }
}

}  // namespace attnres::checks
