"""In: a Llama in bfloat16, a processor with AMX or AVX512-BF16. Out: its forward pass, by the user's C++ compiler."""
