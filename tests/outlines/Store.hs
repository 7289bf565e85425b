module Store where

import Data.List (sort)

-- | A row.
data Row = Row
  { rowId :: Int
  , name :: String
  }

class Sink a where
  write :: a -> String -> IO ()

instance Show Row where
  show r = name r

-- | Writes all.
flush :: [Row] -> Int
flush [] = 0
flush (r : rest) = 1 + flush rest
