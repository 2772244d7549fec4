"""Sentences -> vectors: ONNX encoders, distilled students, transformers."""
