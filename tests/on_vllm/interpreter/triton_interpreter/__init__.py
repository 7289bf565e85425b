"""In: nothing. Out: a backend of Triton named "cpu" that compiles nothing, for `TRITON_INTERPRET=1`.

vLLM's second model runner wants Triton, and of it a build for processors that no package index has. Triton's own
interpreter runs the same kernels on a processor, slowly; vLLM looks for the backend's name only.
"""
