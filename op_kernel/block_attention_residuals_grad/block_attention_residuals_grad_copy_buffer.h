// The copies of ../common/copy_buffer.h under the names of this operator's kernels.

#ifndef BLOCK_ATTENTION_RESIDUALS_GRAD_COPY_BUFFER_H
#define BLOCK_ATTENTION_RESIDUALS_GRAD_COPY_BUFFER_H

#include "../common/copy_buffer.h"

namespace BlockAttentionResidualsGradShared
{

using KernelCommon::AlignUp;
using KernelCommon::BLOCK_BYTES;
using KernelCommon::CeilDiv;
using KernelCommon::CopyBuffer;
using KernelCommon::CopyRowIn;
using KernelCommon::CopyRowOut;
using KernelCommon::CopyRowsIn;
using KernelCommon::CopyRowsOut;
using KernelCommon::Order;

}  // namespace BlockAttentionResidualsGradShared

#endif  // BLOCK_ATTENTION_RESIDUALS_GRAD_COPY_BUFFER_H
