"""In: a Llama in bfloat16 and a processor with AMX or AVX512-BF16. Out: its forward pass in C++, which the user's compiler makes."""
