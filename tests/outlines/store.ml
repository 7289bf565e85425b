open Printf

let limit = 10

type row = {
  id : int;
  name : string;
}

let flush store deep =
  let total = 1 in
  total

module Disk = struct
  let read path = path
end
