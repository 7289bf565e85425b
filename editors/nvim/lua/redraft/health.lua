-- In: `:checkhealth redraft`. Out: whether the program is there and answers.

local M = {}

function M.check()
  local command = require("redraft").command()
  vim.health.start("redraft")
  if vim.fn.has("nvim-0.10") == 0 then
    vim.health.error("Neovim 0.10 or newer is needed")
  end
  local reason, told, done
  require("redraft.server").ask(command, "initialize", vim.empty_dict(), function(...)
    reason, told = ...
    done = true
  end)
  vim.wait(30000, function()
    return done
  end)
  if told then
    vim.health.ok(("redraft %s, engine %s, readers %s"):format(told.version, told.engine, told.readers))
    return
  end
  vim.health.error(reason or "redraft does not answer", { "pip install redraft", "or name it: require('redraft').setup({ command = { '/path/redraft' } })" })
  if vim.fn.executable(command[1]) == 1 then
    local printed = vim.system(command, { stdin = true, text = true }):wait(30000).stderr
    vim.health.info(vim.trim(printed or ""))
  end
end

return M
