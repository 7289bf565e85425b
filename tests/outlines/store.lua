local json = require("json")

local Store = {}

Store.limit = 10

function Store.open(path)
  return setmetatable({}, Store)
end

function Store:flush(deep)
  local total = 1
  return total
end

local function helper(x)
  return x
end

local defaults = {
  path = "a",
  load = function()
    return 1
  end,
}

describe("store", function()
  it("opens", function()
    assert.equals(1, 1)
  end)
end)

return Store
