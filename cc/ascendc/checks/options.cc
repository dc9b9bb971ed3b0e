// Comparing places of sources and calls, reading requests for dumps.
#include "cc/ascendc/checks/options.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

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

// False unless all of `text` is a number.
bool ReadNumber(const std::string& text, uint32_t* number) {
  if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != text.npos) {
    return false;
  }
  *number = static_cast<uint32_t>(std::strtoul(text.c_str(), nullptr, 10));
  return true;
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

bool ReadDumpRequest(const std::string& text, DumpRequest* request) {
  const size_t at = text.find('@');
  const size_t colon = text.rfind(':');
  const bool has_file = at != text.npos && colon != text.npos && colon > at;
  DumpRequest read;
  if (at == text.npos || !ReadNumber(text.substr(0, at), &read.buffer) ||
      !ReadNumber(text.substr((has_file ? colon : at) + 1), &read.line)) {
    return false;
  }
  if (has_file) {
    read.file = text.substr(at + 1, colon - at - 1);
  }
  *request = std::move(read);
  return true;
}

}  // namespace attnres::checks
