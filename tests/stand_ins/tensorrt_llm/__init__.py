"""Stands for TensorRT-LLM in tests: the few names that redraft touches, with the signatures of its source."""
