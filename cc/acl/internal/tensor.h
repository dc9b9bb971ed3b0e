// What an aclTensor handle points at: a strided view of a storage, and for tensors that
// an executor made, where they will stand. Callers see it through aclnn/acl_meta.h,
// operator sources through opdev/common_types.h.
#ifndef CC_ACL_INTERNAL_TENSOR_H_
#define CC_ACL_INTERNAL_TENSOR_H_

#include <cstdint>

#include "aclnn/acl_meta.h"
#include "cc/acl/internal/error_message.h"

namespace attnres::acl {

// The most dimensions that the public interface supports.
constexpr uint64_t kMaxRank = 25;

// Invariant (CheckedTensor): dimensions are not negative; the number of elements and all
// offsets between elements, in bytes, fit in int64_t.
struct Tensor {
  aclDataType dtype = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_ND;
  uint64_t rank = 0;
  int64_t dims[kMaxRank] = {};
  int64_t strides[kMaxRank] = {};  // in elements
  int64_t offset = 0;              // in elements
  uint64_t storage_rank = 0;
  int64_t storage_dims[kMaxRank] = {};
  void* data = nullptr;  // of the storage; null for an executor's tensor

  // Of executor tensors only.
  bool from_executor = false;
  bool zeros = false;   // every element is 0: no task writes it until one needs it in memory
  bool placed = false;  // workspace_offset is set
  uint64_t workspace_offset = 0;

  int64_t element_bytes() const { return static_cast<int64_t>(aclDataTypeSize(dtype)); }
  int64_t element_count() const;
  // True when elements lie in order without gaps, from `offset` on; true without elements.
  bool IsContiguous() const;
  // The first and last element, counted from the start of the storage. Precondition: there
  // are elements.
  void ElementRange(int64_t* first, int64_t* last) const;
};

struct TensorSpec {
  const int64_t* dims;
  uint64_t rank;
  aclDataType dtype;
  const int64_t* strides;  // null: contiguous
  int64_t offset;
  aclFormat format;
  const int64_t* storage_dims;  // null: as much as the view reaches
  uint64_t storage_rank;
  void* data;
};

// Fills `*tensor`, or says in 161001 or 161002 what is wrong with `spec`.
Error CheckedTensor(const TensorSpec& spec, Tensor* tensor);

inline const Tensor* FromHandle(const aclTensor* handle) {
  return reinterpret_cast<const Tensor*>(handle);
}
inline Tensor* FromHandle(aclTensor* handle) { return reinterpret_cast<Tensor*>(handle); }
inline aclTensor* ToHandle(Tensor* tensor) { return reinterpret_cast<aclTensor*>(tensor); }

// Strides of a contiguous tensor.
void ContiguousStrides(const int64_t* dims, uint64_t rank, int64_t* strides);

}  // namespace attnres::acl

#endif  // CC_ACL_INTERNAL_TENSOR_H_
