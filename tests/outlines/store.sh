#!/bin/sh
# Keeps rows.

LIMIT=10
export ROOT="/srv"

# Writes all.
flush() {
  total=1
  echo "$total"
}

function open_store {
  echo "$1"
}

flush
