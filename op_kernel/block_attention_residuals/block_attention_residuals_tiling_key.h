// The template key of the BlockAttentionResiduals kernels: which of the two H modes a launch runs.
// Host tiling packs it with GET_TPL_TILING_KEY; the kernel entries take it as their template argument hMode.

#ifndef OP_KERNEL_BLOCK_ATTENTION_RESIDUALS_TILING_KEY_H
#define OP_KERNEL_BLOCK_ATTENTION_RESIDUALS_TILING_KEY_H

#include "ascendc/host_api/tiling/template_argument.h"

#define TPL_H_MODE_FULL 0   // all value rows of a token lie in UB, and are read once
#define TPL_H_MODE_SPLIT 1  // rows are cut into hiddenTileNum tiles of hiddenTileSize elements, and read twice

ASCENDC_TPL_ARGS_DECL(BlockAttentionResiduals, ASCENDC_TPL_UINT_DECL(hMode, ASCENDC_TPL_1_BW, ASCENDC_TPL_UI_LIST,
                                                                     TPL_H_MODE_FULL, TPL_H_MODE_SPLIT));

ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_UINT_SEL(hMode, ASCENDC_TPL_UI_LIST, TPL_H_MODE_FULL,
                                                          TPL_H_MODE_SPLIT)));

#endif  // OP_KERNEL_BLOCK_ATTENTION_RESIDUALS_TILING_KEY_H
