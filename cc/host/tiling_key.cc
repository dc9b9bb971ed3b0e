// Value lists of template arguments and the packing of a key; see tiling_key.h.
#include "cc/host/tiling_key.h"

#include <algorithm>
#include <utility>

namespace attnres {
namespace host {
namespace {

constexpr uint64_t kRange = 0;
constexpr uint64_t kList = 1;
constexpr uint64_t kMix = 2;
constexpr uint32_t kKeyBits = 64;
// A UINT field has at most 8 bits, so a longer list could not be stored.
constexpr uint64_t kMaxListedValues = 256;

// The values of a UINT declaration in index order; empty when the declaration is malformed.
std::vector<uint64_t> ExpandUintValues(const std::vector<uint64_t>& declaration) {
  if (declaration.empty()) return {};
  const uint64_t kind = declaration[0];
  if (kind == kList) return {declaration.begin() + 1, declaration.end()};
  if ((kind != kRange && kind != kMix) || declaration.size() < 2) return {};
  const uint64_t range_num = declaration[1];
  if (range_num > (declaration.size() - 2) / 2) return {};
  std::vector<uint64_t> values;
  size_t next = 2;
  for (uint64_t range = 0; range < range_num; ++range, next += 2) {
    const uint64_t first = declaration[next];
    const uint64_t last = declaration[next + 1];
    if (last < first || last - first >= kMaxListedValues) return {};
    for (uint64_t offset = 0; offset <= last - first; ++offset) values.push_back(first + offset);
  }
  if (kind == kRange) return next == declaration.size() ? values : std::vector<uint64_t>{};
  values.insert(values.end(), declaration.begin() + static_cast<std::ptrdiff_t>(next),
                declaration.end());
  return values;
}

}  // namespace

TilingKeyField::TilingKeyField(const char* name, uint32_t bits, bool stores_index,
                               std::vector<uint64_t> values)
    : name_(name), bits_(bits), stores_index_(stores_index), values_(std::move(values)) {}

TilingKeyField TilingKeyField::Plain(const char* name, uint32_t bits,
                                     std::initializer_list<uint64_t> values) {
  return TilingKeyField(name, bits, /*stores_index=*/false, values);
}

TilingKeyField TilingKeyField::Uint(const char* name, uint32_t bits,
                                    std::initializer_list<uint64_t> declaration) {
  return TilingKeyField(name, bits, /*stores_index=*/true, ExpandUintValues(declaration));
}

bool TilingKeyField::Encode(uint64_t value, uint64_t* stored) const {
  const auto found = std::find(values_.begin(), values_.end(), value);
  if (found == values_.end()) return false;
  *stored = stores_index_ ? static_cast<uint64_t>(found - values_.begin()) : value;
  return bits_ >= kKeyBits || (*stored >> bits_) == 0;
}

uint64_t EncodeTilingKey(const TilingKeyFields& fields, std::initializer_list<uint64_t> values) {
  if (fields.size() != values.size()) return kInvalidTilingKey;
  uint64_t key = 0;
  uint32_t used_bits = 0;
  auto value = values.begin();
  for (const TilingKeyField& field : fields) {
    uint64_t stored = 0;
    if (!field.Encode(*value++, &stored)) return kInvalidTilingKey;
    if (field.bits() > kKeyBits - used_bits) return kInvalidTilingKey;
    if (used_bits < kKeyBits) key |= stored << used_bits;
    used_bits += field.bits();
  }
  return key;
}

}  // namespace host
}  // namespace attnres
