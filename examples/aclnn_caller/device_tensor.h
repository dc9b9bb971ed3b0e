// A tensor on the device as the example programs need it.
#ifndef EXAMPLES_ACLNN_CALLER_DEVICE_TENSOR_H_
#define EXAMPLES_ACLNN_CALLER_DEVICE_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

// Memory on the device and the contiguous tensor over it, of ACL_FLOAT16 or ACL_FLOAT; the host
// side is floats. It has neither until one of the Create functions succeeded, and frees both at its
// end. A function that returns false has printed why.
class DeviceTensor {
 public:
  DeviceTensor() = default;
  DeviceTensor(const DeviceTensor&) = delete;
  DeviceTensor& operator=(const DeviceTensor&) = delete;
  ~DeviceTensor();

  // For a result: the elements are what was in the memory.
  bool Create(const std::vector<int64_t>& dims, aclDataType dtype);

  // `values` has one for each element, rounded to dtype.
  bool Create(const std::vector<int64_t>& dims, aclDataType dtype,
              const std::vector<float>& values);

  // Copies all elements back.
  bool Read(std::vector<float>* values) const;

  const aclTensor* get() const { return tensor_; }

 private:
  bool Upload(const void* host);
  bool Download(void* host) const;

  size_t count_ = 0;
  aclDataType dtype_ = ACL_FLOAT16;
  size_t bytes_ = 0;
  void* data_ = nullptr;
  aclTensor* tensor_ = nullptr;
};

#endif  // EXAMPLES_ACLNN_CALLER_DEVICE_TENSOR_H_
