// ASCENDC_TPL_*: how an operator declares the template arguments of its kernels, and how host
// tiling packs a choice of them into a tiling key. Fields are packed from the least significant bit
// in the order of their declaration: DTYPE, FORMAT and KERNEL_TYPE take 8 bits, BOOL 1 bit, UINT
// the declared width and stores the index in its value list. Kernel sources include the same
// declaration, where it expands to nothing: their arguments come from the build.
#ifndef CC_HOST_INCLUDE_ASCENDC_HOST_API_TILING_TEMPLATE_ARGUMENT_H_
#define CC_HOST_INCLUDE_ASCENDC_HOST_API_TILING_TEMPLATE_ARGUMENT_H_

#include <cstdint>

#define ASCENDC_TPL_1_BW 1
#define ASCENDC_TPL_2_BW 2
#define ASCENDC_TPL_4_BW 4
#define ASCENDC_TPL_8_BW 8

#define ASCENDC_TPL_UI_RANGE 0
#define ASCENDC_TPL_UI_LIST 1
#define ASCENDC_TPL_UI_MIX 2

#define ASCENDC_TPL_AIV_ONLY 0
#define ASCENDC_TPL_AIC_ONLY 1
#define ASCENDC_TPL_MIX_AIV_1_0 4
#define ASCENDC_TPL_MIX_AIC_1_0 5
#define ASCENDC_TPL_MIX_AIC_1_1 6
#define ASCENDC_TPL_MIX_AIC_1_2 7

#if defined(ASCENDC_TPL_KERNEL) || defined(__CCE_AICORE__)

#define ASCENDC_TPL_ARGS_DECL(...)
#define ASCENDC_TPL_SEL(...)

#else  // host

#include "cc/host/tiling_key.h"

#define ASCENDC_TPL_DTYPE_DECL(name, ...) \
  ::attnres::host::TilingKeyField::Plain(#name, 8, {__VA_ARGS__})
#define ASCENDC_TPL_DATATYPE_DECL(name, ...) ASCENDC_TPL_DTYPE_DECL(name, __VA_ARGS__)
#define ASCENDC_TPL_FORMAT_DECL(name, ...) \
  ::attnres::host::TilingKeyField::Plain(#name, 8, {__VA_ARGS__})
#define ASCENDC_TPL_KERNEL_TYPE_DECL(name, ...) \
  ::attnres::host::TilingKeyField::Plain(#name, 8, {__VA_ARGS__})
#define ASCENDC_TPL_BOOL_DECL(name, ...) \
  ::attnres::host::TilingKeyField::Plain(#name, 1, {__VA_ARGS__})
#define ASCENDC_TPL_UINT_DECL(name, bits, ...) \
  ::attnres::host::TilingKeyField::Uint(#name, bits, {__VA_ARGS__})

#define ASCENDC_TPL_ARGS_DECL(op_type, ...)                                              \
  [[maybe_unused]] static const ::attnres::host::TilingKeyFields g_tilingDeclareParams { \
    __VA_ARGS__                                                                          \
  }

// Which combinations the build compiles: the build's business, not tiling's.
#define ASCENDC_TPL_SEL(...)

// The packed key, or INVALID_TILING_KEY when a value is not declared or the fields need more than
// 64 bits.
#define GET_TPL_TILING_KEY(...) \
  ::attnres::host::EncodeTilingKey(g_tilingDeclareParams, {__VA_ARGS__})

#define ASCENDC_TPL_SEL_PARAM(context, ...) (context)->SetTilingKey(GET_TPL_TILING_KEY(__VA_ARGS__))

constexpr uint64_t INVALID_TILING_KEY = ::attnres::host::kInvalidTilingKey;

#endif  // host

#endif  // CC_HOST_INCLUDE_ASCENDC_HOST_API_TILING_TEMPLATE_ARGUMENT_H_
