"""In: requests of browsers. Out: the page at `/`, as `make page` built it from web/."""
