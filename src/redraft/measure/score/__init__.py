"""In: small cases, sets of answers and systems. Out: what each system makes of each set, one line each."""
