"""In: outcomes of an evaluation. Out: tables, pictures and a page of them."""
