"""Stands for TensorRT-LLM in tests."""
