"""From operations to machine code: kernels, buffers, and the calls between them."""
