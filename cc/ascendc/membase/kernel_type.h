// Numbers of data types, as macros that the preprocessor of a kernel can compare: ORIG_DTYPE_X is
// one of them. Values are those of ge::DataType.
#ifndef CC_ASCENDC_MEMBASE_KERNEL_TYPE_H_
#define CC_ASCENDC_MEMBASE_KERNEL_TYPE_H_

#define DT_FLOAT 0
#define DT_FLOAT16 1
#define DT_INT8 2
#define DT_INT32 3
#define DT_UINT8 4
#define DT_INT16 6
#define DT_UINT16 7
#define DT_UINT32 8
#define DT_INT64 9
#define DT_UINT64 10
#define DT_DOUBLE 11
#define DT_BOOL 12
#define DT_BF16 27

#define FORMAT_NCHW 0
#define FORMAT_NHWC 1
#define FORMAT_ND 2

#endif  // CC_ASCENDC_MEMBASE_KERNEL_TYPE_H_
