"""For all tests: hypothesis sets no deadlines, since no test is to wait for a clock."""

from hypothesis import settings

settings.register_profile("no clock", deadline=None)
settings.load_profile("no clock")
