"""For all tests: hypothesis sets no deadlines, since no test is to wait for a clock; journal, settings are theirs."""

import os
import tempfile

from hypothesis import settings

settings.register_profile("no clock", deadline=None)
settings.load_profile("no clock")
os.environ["REDRAFT_CONFIG"] = os.path.join(tempfile.mkdtemp(prefix="redraft-test-config-"), "config.toml")
os.environ["REDRAFT_STATE"] = tempfile.mkdtemp(prefix="redraft-test-state-")
