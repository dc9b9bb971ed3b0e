// CPython's pyconfig.h for the other one of x86-64 and aarch64, of which Debian has none on this machine: what is here
// holds there too, since both are Linux with 64-bit longs and pointers and the same glibc. The compiler checks the sizes.
// Only CPython's own sources ask what is taken away.
#ifndef ATTNRES_OTHER_PYCONFIG_H_
#define ATTNRES_OTHER_PYCONFIG_H_

#include <{part}/pyconfig.h>
// It says which interfaces these declare.
#include <time.h>
#include <wchar.h>

#undef HAVE_GCC_ASM_FOR_X64
#undef HAVE_GCC_ASM_FOR_X87
#undef PY_SUPPORT_TIER

static_assert(sizeof(short) == SIZEOF_SHORT, "short");
static_assert(sizeof(int) == SIZEOF_INT, "int");
static_assert(sizeof(long) == SIZEOF_LONG, "long");
static_assert(sizeof(long long) == SIZEOF_LONG_LONG, "long long");
static_assert(sizeof(float) == SIZEOF_FLOAT, "float");
static_assert(sizeof(double) == SIZEOF_DOUBLE, "double");
static_assert(sizeof(long double) == SIZEOF_LONG_DOUBLE, "long double");
static_assert(sizeof(bool) == SIZEOF__BOOL, "bool");
static_assert(sizeof(void*) == SIZEOF_VOID_P, "void*");
static_assert(sizeof(size_t) == SIZEOF_SIZE_T, "size_t");
static_assert(sizeof(time_t) == SIZEOF_TIME_T, "time_t");
static_assert(sizeof(wchar_t) == SIZEOF_WCHAR_T, "wchar_t");
static_assert(alignof(long) == ALIGNOF_LONG, "alignment of long");

#endif  // ATTNRES_OTHER_PYCONFIG_H_
