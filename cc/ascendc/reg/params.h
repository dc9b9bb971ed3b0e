// Enumerations and option structures of the register-based instructions, with the public names and
// values (asc-devkit include/basic_api/reg_compute/kernel_reg_compute_utils.h).
#ifndef CC_ASCENDC_REG_PARAMS_H_
#define CC_ASCENDC_REG_PARAMS_H_

#include "cc/ascendc/membase/vector/params.h"

ASCENDC_TWIN_BEGIN

// Variants of a device's arithmetic. The twin has one result for each function: correctly rounded
// where it says so, subnormal numbers kept.
enum class ExpAlgo { INTRINSIC = 0, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE };
enum class LnAlgo { INTRINSIC = 0, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE };
enum class LogAlgo { INTRINSIC = 0, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE };
enum class Log2Algo { INTRINSIC = 0, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE };
enum class Log10Algo { INTRINSIC = 0, PRECISION_1ULP_FTZ_TRUE, PRECISION_1ULP_FTZ_FALSE };
enum class DivAlgo {
  INTRINSIC = 0,
  DIFF_COMPENSATION,
  PRECISION_1ULP_FTZ_TRUE,
  PRECISION_0ULP_FTZ_TRUE,
  PRECISION_0ULP_FTZ_FALSE,
  PRECISION_1ULP_FTZ_FALSE
};
enum class SqrtAlgo {
  INTRINSIC = 0,
  FAST_INVERSE,
  PRECISION_1ULP_FTZ_TRUE,
  PRECISION_0ULP_FTZ_FALSE,
  PRECISION_1ULP_FTZ_FALSE
};

namespace Reg {

// Which of the narrow elements in a wide one an instruction between widths uses.
enum class RegLayout { UNKNOWN = -1, ZERO, ONE, TWO, THREE };
enum class SatMode { UNKNOWN = -1, NO_SAT, SAT };
enum class IndexOrder { INCREASE_ORDER, DECREASE_ORDER };
// What becomes of elements that the mask leaves out: MERGING keeps them, ZEROING makes them 0.
enum class MaskMergeMode { UNKNOWN, MERGING, ZEROING };
enum class HistogramsBinType { BIN0 = 0, BIN1, BIN2, BIN3, BIN4, BIN5, BIN6, BIN7 };
enum class HistogramsType { FREQUENCY = 0, ACCUMULATE };
enum class HighLowPart { LOWEST, HIGHEST };
enum class PostLiteral { POST_MODE_NORMAL, POST_MODE_UPDATE };
// VLn: the lowest n elements; M3, M4: every third or fourth; H, Q: the lowest half or quarter.
enum class MaskPattern {
  ALL,
  VL1,
  VL2,
  VL3,
  VL4,
  VL8,
  VL16,
  VL32,
  VL64,
  VL128,
  M3,
  M4,
  H,
  Q,
  ALLF = 15
};
enum class LoadDist {
  DIST_NORM,
  DIST_BRC_B8,
  DIST_BRC_B16,
  DIST_BRC_B32,
  DIST_US_B8 = 6,
  DIST_US_B16,
  DIST_DS_B8,
  DIST_DS_B16,
  DIST_BDINTLV,
  DIST_DINTLV_B8,
  DIST_DINTLV_B16,
  DIST_UNPACK_B8,
  DIST_UNPACK_B16,
  DIST_BLK,
  DIST_E2B_B16,
  DIST_E2B_B32,
  DIST_UNPACK_B32,
  DIST_DINTLV_B32,
  DIST_UNPACK4_B8,
  DIST_SPLT4CHN_B8,
  DIST_SPLT2CHN_B8,
  DIST_SPLT2CHN_B16
};
enum class MaskDist { DIST_NORM, DIST_US = 1, DIST_DS = 2, DIST_PACK = 1 };
enum class StoreDist {
  DIST_NORM_B8,
  DIST_NORM_B16,
  DIST_NORM_B32,
  DIST_FIRST_ELEMENT_B8,
  DIST_FIRST_ELEMENT_B16,
  DIST_FIRST_ELEMENT_B32,
  DIST_PACK_B16,
  DIST_PACK_B32,
  DIST_INTLV_B8,
  DIST_INTLV_B16,
  DIST_PACK_B64,
  DIST_INTLV_B32,
  DIST_PACK4_B32,
  DIST_MRG4CHN_B8,
  DIST_MRG2CHN_B8,
  DIST_MRG2CHN_B16,
  DIST_NORM
};
enum class MemType { VEC_STORE, VEC_LOAD, SCALAR_STORE, SCALAR_LOAD, VEC_ALL, SCALAR_ALL };
enum class DataCopyMode { DATA_BLOCK_COPY };
enum class GatherMaskMode { NO_STORE_REG, STORE_REG };
enum class StoreMode { NOSTORED = 0, STORED };
enum class RoundControl { NO_ROUND, ROUND };
enum class PairReduce { SUM = 0 };
using ReduceType = AscendC::ReduceType;

// Stands for an element type that follows from the registers.
struct DefaultType {};

struct CastTrait {
  RegLayout layoutMode = RegLayout::UNKNOWN;
  SatMode satMode = SatMode::UNKNOWN;
  MaskMergeMode mrgMode = MaskMergeMode::UNKNOWN;
  RoundMode roundMode = RoundMode::UNKNOWN;
};
constexpr CastTrait castTrait = {RegLayout::UNKNOWN, SatMode::UNKNOWN, MaskMergeMode::UNKNOWN,
                                 RoundMode::UNKNOWN};

struct ExpSpecificMode {
  MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
  ExpAlgo algo = ExpAlgo::INTRINSIC;
};
struct LnSpecificMode {
  MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
  LnAlgo algo = LnAlgo::INTRINSIC;
};
struct LogSpecificMode {
  MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
  LogAlgo algo = LogAlgo::INTRINSIC;
};
struct Log2SpecificMode {
  MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
  Log2Algo algo = Log2Algo::INTRINSIC;
};
struct Log10SpecificMode {
  MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
  Log10Algo algo = Log10Algo::INTRINSIC;
};
struct DivSpecificMode {
  MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
  bool precisionMode = false;
  DivAlgo algo = DivAlgo::INTRINSIC;
};
struct SqrtSpecificMode {
  MaskMergeMode mrgMode = MaskMergeMode::ZEROING;
  bool precisionMode = false;
  SqrtAlgo algo = SqrtAlgo::INTRINSIC;
};

struct RegTrait {
  int REG_NUM = 1;
};
constexpr RegTrait RegTraitNumOne = {1};
constexpr RegTrait RegTraitNumTwo = {2};

}  // namespace Reg

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_REG_PARAMS_H_
