"""Block attention residuals: the forward and the backward operator, on NumPy arrays.

The arrays go to the operator's own AscendC kernels, which run here on a CPU twin of an Ascend SoC: virtual
vector cores with the SoC's Unified Buffer, tiled as on the device. Results have the same bits for any number
of host threads.

    hidden_states, inv_norm, probs = attnres.block_attention_residuals(
        partial_block, block_res, proj_weight, norm_weight)
    gradients = attnres.block_attention_residuals_backward(
        partial_block, block_res, proj_weight, norm_weight, grad_hidden_states, inv_norm, probs)

`tiling` tells how a shape is tiled, `socs` which SoCs there are, `check` what check mode finds in the kernels,
`trace` how long they would take on a SoC and why. A wrong argument raises InvalidArgumentError
(also a ValueError); what else goes wrong raises AclnnError, of which it is a kind.
"""

from attnres._backward import Gradients, block_attention_residuals_backward
from attnres._check_mode import CheckReport, Dump, Finding, Place, check
from attnres._errors import AclnnError, InvalidArgumentError
from attnres._forward import Mixture, block_attention_residuals
from attnres._socs import Soc, socs
from attnres._tiling import Tiling, UbBuffer, tiling
from attnres._trace_mode import TraceReport, trace
from attnres._version import VERSION as __version__

__all__ = [
    "AclnnError",
    "CheckReport",
    "Dump",
    "Finding",
    "Gradients",
    "InvalidArgumentError",
    "Mixture",
    "Place",
    "Soc",
    "Tiling",
    "TraceReport",
    "UbBuffer",
    "__version__",
    "block_attention_residuals",
    "block_attention_residuals_backward",
    "check",
    "socs",
    "tiling",
    "trace",
]
