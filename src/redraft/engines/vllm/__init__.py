"""In: nothing. Out: the names that redraft and vLLM's server share.

A plugin for vLLM: `scheduler` drafts inside the engine, `worker` hands the drafts to whichever model runner vLLM
starts, `middleware` reads predictions off HTTP requests, `ranking` adds a route that says which of a few texts is
likeliest, `launch` starts the server with all of them.
"""

# The sampling parameter (`extra_args`, over HTTP `vllm_xargs`) that holds the ids of a request's prediction.
PREDICTION = "redraft_prediction"
# More than this vLLM does not verify in one step (`MAX_SPEC_LEN` of its rejection sampler).
MOST_DRAFTED = 128
# Where, below its base URL, a server that redraft started says which of a few texts is likeliest.
RANK = "/rank"
# The name of the model that comes along, as a spec and as a server has it.
EMBEDDED = "embedded"
