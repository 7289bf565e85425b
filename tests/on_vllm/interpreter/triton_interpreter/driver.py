"""In: nothing. Out: the half of a backend that would start kernels."""

from triton.backends.driver import DriverBase

from triton_interpreter.compiler import unused

_GIVEN = {"__init__": lambda self: None, "is_active": staticmethod(lambda: True)}
Driver = type("Driver", (DriverBase,), dict.fromkeys(DriverBase.__abstractmethods__, unused) | _GIVEN)
