-- In: requests. Out: their results, from one `redraft serve --stdio` that is started when it is needed first.

local M = {}

local running -- { rpc, pending, said }
local news = {} -- what to call with progress, by token
local last = 0

local function ended(one, reason)
  if running == one then
    running = nil
  end
  local pending = one.pending
  one.pending = {}
  for _, callback in pairs(pending) do
    callback("redraft has stopped: " .. reason)
  end
end

--- Starts the process; nil and the reason where it cannot.
local function start(command)
  if vim.fn.executable(command[1]) == 0 then
    return nil, ("there is no program %s: install it with `pip install redraft`"):format(command[1])
  end
  local one = { pending = {} }
  local ok, rpc = pcall(vim.lsp.rpc.start, command, {
    notification = function(method, params)
      if method == "$/progress" then
        vim.schedule(function()
          if news[params.token] then
            news[params.token](params.value)
          end
        end)
      end
    end,
    server_request = function() end,
    on_error = function() end,
    on_exit = vim.schedule_wrap(function(code, signal)
      local how = signal == 0 and "exit code " .. code or "signal " .. signal
      ended(one, how .. "; :checkhealth redraft says more")
    end),
  })
  if not ok or not rpc then
    return nil, tostring(rpc)
  end
  one.rpc = rpc
  return one
end

--- Calls back with a message for the user, or with nil and the result. Returns what cancels the request.
function M.ask(command, method, params, callback, on_news)
  local reason
  if not running then
    running, reason = start(command)
  end
  if not running then
    callback(reason)
    return function() end
  end
  local one = running
  last = last + 1
  local token = last
  news[token] = on_news
  one.pending[token] = function(...)
    news[token] = nil
    callback(...)
  end
  local function answered(error, result)
    local waiting = one.pending[token]
    one.pending[token] = nil
    if waiting then
      waiting(error and error.message, result)
    end
  end
  if method ~= "initialize" then
    params = vim.tbl_extend("error", params, { token = token })
  end
  local sent, id = one.rpc.request(method, params, vim.schedule_wrap(answered))
  if not sent then
    ended(one, "it takes no more requests")
  end
  return function()
    one.rpc.notify("$/cancelRequest", { id = id })
    answered({ message = "cancelled" }) -- Neovim's client keeps it to itself
  end
end

function M.stop()
  if running then
    running.rpc.terminate()
    running = nil
  end
end

return M
