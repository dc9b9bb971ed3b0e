// Packs the values of a kernel's template arguments into one 64-bit tiling key.
// Operators reach it through the ASCENDC_TPL_* macros of
// ascendc/host_api/tiling/template_argument.h.
#ifndef CC_HOST_TILING_KEY_H_
#define CC_HOST_TILING_KEY_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace attnres {
namespace host {

// No valid key: all bits set.
constexpr uint64_t kInvalidTilingKey = ~uint64_t{0};

// One template argument: how many bits of the key it takes and the values that it may have.
class TilingKeyField {
 public:
  // A field that stores its value as it is (data type, format, kernel type, bool).
  static TilingKeyField Plain(const char* name, uint32_t bits,
                              std::initializer_list<uint64_t> values);

  // A field that stores the index of its value. `declaration` starts with the kind of the list:
  // 1 (list): the values; 0 (range): number of ranges, then first and last of each; 2 (mix): ranges
  // as above, then single values. A declaration that breaks this has no valid value.
  static TilingKeyField Uint(const char* name, uint32_t bits,
                             std::initializer_list<uint64_t> declaration);

  // False when `value` is not declared or what the field stores for it needs more than bits().
  bool Encode(uint64_t value, uint64_t* stored) const;

  const std::string& name() const { return name_; }
  uint32_t bits() const { return bits_; }

 private:
  TilingKeyField(const char* name, uint32_t bits, bool stores_index, std::vector<uint64_t> values);

  std::string name_;
  uint32_t bits_;
  bool stores_index_;
  std::vector<uint64_t> values_;
};

using TilingKeyFields = std::vector<TilingKeyField>;

// Packs `values`, one for each field in order, from the least significant bit. Returns
// kInvalidTilingKey when their number differs, a value is not declared, or they need over 64 bits.
uint64_t EncodeTilingKey(const TilingKeyFields& fields, std::initializer_list<uint64_t> values);

}  // namespace host
}  // namespace attnres

#endif  // CC_HOST_TILING_KEY_H_
