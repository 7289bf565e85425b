library(jsonlite)

limit <- 10

flush <- function(store, deep = FALSE) {
  total <- 1
  total
}

test_that("it opens", {
  expect_equal(1, 1)
})
