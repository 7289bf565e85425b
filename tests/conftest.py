"""For all tests: hypothesis sets no deadlines, since no test is to wait for a clock; the journal is their own."""

import os
import tempfile

from hypothesis import settings

settings.register_profile("no clock", deadline=None)
settings.load_profile("no clock")
os.environ["REDRAFT_STATE"] = tempfile.mkdtemp(prefix="redraft-test-state-")
