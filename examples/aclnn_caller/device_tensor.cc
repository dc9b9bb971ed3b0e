#include "examples/aclnn_caller/device_tensor.h"

#include <algorithm>
#include <cstdio>

#include "examples/aclnn_caller/acl_status.h"

DeviceTensor::~DeviceTensor() {
  if (tensor_ != nullptr) aclDestroyTensor(tensor_);
  if (data_ != nullptr) aclrtFree(data_);
}

bool DeviceTensor::Create(const std::vector<int64_t>& dims, aclDataType dtype) {
  count_ = 1;
  for (int64_t dim : dims) count_ *= static_cast<size_t>(dim);
  dtype_ = dtype;
  bytes_ = count_ * aclDataTypeSize(dtype);
  if (!Succeeded("aclrtMalloc", aclrtMalloc(&data_, bytes_, ACL_MEM_MALLOC_HUGE_FIRST))) {
    return false;
  }
  tensor_ = aclCreateTensor(dims.data(), dims.size(), dtype, nullptr, 0, ACL_FORMAT_ND, dims.data(),
                            dims.size(), data_);
  if (tensor_ == nullptr) std::printf("aclCreateTensor: %s\n", aclGetRecentErrMsg());
  return tensor_ != nullptr;
}

bool DeviceTensor::Create(const std::vector<int64_t>& dims, aclDataType dtype,
                          const std::vector<float>& values) {
  if (!Create(dims, dtype)) return false;
  if (dtype == ACL_FLOAT) return Upload(values.data());
  std::vector<aclFloat16> halves(count_);
  std::transform(values.begin(), values.end(), halves.begin(), aclFloatToFloat16);
  return Upload(halves.data());
}

bool DeviceTensor::Read(std::vector<float>* values) const {
  values->resize(count_);
  if (dtype_ == ACL_FLOAT) return Download(values->data());
  std::vector<aclFloat16> halves(count_);
  if (!Download(halves.data())) return false;
  std::transform(halves.begin(), halves.end(), values->begin(), aclFloat16ToFloat);
  return true;
}

bool DeviceTensor::Upload(const void* host) {
  return Succeeded("aclrtMemcpy",
                   aclrtMemcpy(data_, bytes_, host, bytes_, ACL_MEMCPY_HOST_TO_DEVICE));
}

bool DeviceTensor::Download(void* host) const {
  return Succeeded("aclrtMemcpy",
                   aclrtMemcpy(host, bytes_, data_, bytes_, ACL_MEMCPY_DEVICE_TO_HOST));
}
