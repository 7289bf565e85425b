"""In: cases and engines. Out: records of time and forwards."""
