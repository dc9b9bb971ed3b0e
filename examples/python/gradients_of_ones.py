"""The backward from Python, with inputs that are all ones: the program that the project's README shows."""

import attnres
import numpy as np

T, N, H = 2, 4, 64
row = np.ones((T, H), np.float16)  # of the partial block, and of the gradient that comes in
blocks = np.ones((T, N, H), np.float16)
weight = np.ones(H, np.float16)
saved = np.ones((T, N + 1), np.float32)  # inv_norm and probs of the forward
grads = attnres.block_attention_residuals_backward(
    row, blocks, weight[np.newaxis], weight, row, saved, saved, soc="ascend950"
)
print(grads.grad_block_res[0, 0, 0], grads.grad_norm_weight[0])  # 1.0 -2.56e+03
