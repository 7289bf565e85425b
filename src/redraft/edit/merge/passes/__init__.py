"""In: an answer or the text that its blocks give. Out: the same without slips, orders carried out."""
