"""In: the weights that were fetched and the adapters that are installed. Out: models, each a folder."""
