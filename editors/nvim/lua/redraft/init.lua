-- In: commands. Out: answers and instructions as hunks in buffers, to be taken or left; nothing is written to disk.

local review = require("redraft.review")
local server = require("redraft.server")
local suggestion = require("redraft.next")
local texts = require("redraft.text")

local M = {
  options = {
    command = { "redraft" },
    engine = "embedded",
    readers = "auto",
    register = "+",
    keys = { accept = "<leader>ry", reject = "<leader>rn", all = "<leader>rY", none = "<leader>rN", next = "]r", previous = "[r" },
    suggest = { automatic = false, pause = 400, key = "<Tab>" },
  },
}

local cancel = function() end

function M.command()
  local options = M.options
  local last = { "serve", "--stdio", "--engine", options.engine, "--readers", options.readers }
  return vim.list_extend(vim.deepcopy(options.command), last)
end

local function say(text, level)
  vim.notify("redraft: " .. text, level or vim.log.levels.WARN)
end

function M.setup(options)
  local before = M.command()
  M.options = vim.tbl_deep_extend("force", M.options, options or {})
  if not vim.deep_equal(before, M.command()) then
    server.stop()
  end
  suggestion.automatic(M.command(), M.options.suggest, function(reason, is_failure)
    if is_failure then
      say(reason, vim.log.levels.INFO)
    end
  end)
end

--- The hunks of a change, as the review shows them; what ends the last line is the buffer's.
local function hunks_of(change)
  local before, after, found = texts.lines(change.before), texts.lines(change.after or ""), {}
  for _, hunk in ipairs(change.hunks) do
    local old = vim.list_slice(before, hunk.start + 1, hunk["end"])
    local new = vim.list_slice(after, hunk.after_start + 1, hunk.after_end)
    if not vim.deep_equal(old, new) then
      table.insert(found, { row = hunk.start, old = old, new = new, sure = change.confidence and hunk.confidence })
    end
  end
  return found
end

local function map(buffer)
  local keys = M.options.keys
  local actions = {
    [keys.accept] = function() M.accept({}) end,
    [keys.reject] = function() M.reject({}) end,
    [keys.all] = function() M.accept({ bang = true }) end,
    [keys.none] = function() M.reject({ bang = true }) end,
    [keys.next] = function() review.jump(vim.api.nvim_get_current_buf(), true) end,
    [keys.previous] = function() review.jump(vim.api.nvim_get_current_buf(), false) end,
  }
  for key, action in pairs(actions) do
    vim.keymap.set("n", key, action, { buffer = buffer, desc = "redraft" })
  end
end

--- Takes the keys away again once all hunks are taken or left.
local function tidy(buffer)
  if review.count(buffer) == 0 then
    for _, key in pairs(M.options.keys) do
      pcall(vim.keymap.del, "n", key, { buffer = buffer })
    end
  end
end

local function refusal(changes)
  for _, change in ipairs(changes) do
    if change.status ~= "applied" and change.status ~= "no_change" then
      local name = change.path == "" and "" or vim.fs.basename(change.path) .. ": "
      local why = name .. (change.message ~= "" and change.message or change.status)
      return change.way_on == "" and why or why .. "\nto go on: " .. change.way_on
    elseif change.operation == "delete" or change.operation == "rename" then
      return "the answer deletes or renames files: use `redraft apply --root` in a shell"
    end
  end
end

--- The buffer of a change. A new file is a buffer that is not written yet.
local function buffer_of(change, own, root)
  if own and change.path == vim.api.nvim_buf_get_name(own) then
    return own
  end
  local path = vim.startswith(change.path, "/") and change.path or vim.fs.joinpath(root, change.path)
  local buffer = vim.fn.bufadd(path)
  vim.fn.bufload(buffer)
  vim.bo[buffer].buflisted = true
  return buffer
end

local function show(changes, own, root)
  local places, plan = {}, {}
  for _, change in ipairs(changes) do
    local buffer = buffer_of(change, own, root)
    if change.operation == "edit" and not vim.deep_equal(texts.lines(texts.of(buffer)), texts.lines(change.before)) then
      return say(change.path .. " has changed since the answer was read: apply it again")
    end
    if not vim.bo[buffer].modifiable then
      return say("this buffer cannot be changed: " .. change.path)
    end
    table.insert(plan, { buffer = buffer, change = change })
  end
  for _, each in ipairs(plan) do
    local found = hunks_of(each.change)
    if each.change.operation == "create" then
      found = { { row = 0, old = { "" }, new = texts.lines(each.change.after) } }
    end
    suggestion.dismiss()
    review.show(each.buffer, found)
    map(each.buffer)
    for _, hunk in ipairs(found) do
      table.insert(places, { bufnr = each.buffer, lnum = hunk.row + 1, text = hunk.new[1] or "lines that go" })
    end
  end
  if #places == 0 then
    return say("nothing to do: the file has all that the answer shows", vim.log.levels.INFO)
  end
  if #plan > 1 or plan[1].buffer ~= own then
    vim.fn.setqflist({}, " ", { title = "redraft", items = places })
    vim.cmd.copen()
  else
    review.go(own, places[1].lnum - 1)
  end
  say(("%d hunk%s: %s takes, %s leaves"):format(#places, #places == 1 and "" or "s", M.options.keys.accept, M.options.keys.reject), vim.log.levels.INFO)
end

local function opened()
  local held = vim.empty_dict()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local name = vim.api.nvim_buf_get_name(buffer)
    if vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].buftype == "" and name ~= "" then
      held[name] = texts.of(buffer)
    end
  end
  return held
end

--- `:Redraft [register]`: the answer in a register, for this buffer or for all files that it names.
function M.apply(called)
  local register = called.args and called.args ~= "" and called.args or M.options.register
  local answer = vim.fn.getreg(register)
  if vim.trim(answer) == "" then
    return say(("register %s is empty: yank or copy the answer first"):format(register))
  end
  suggestion.dismiss()
  local buffer = vim.api.nvim_get_current_buf()
  local name = vim.api.nvim_buf_get_name(buffer)
  local root = vim.fs.root(buffer, ".git") or vim.fn.getcwd()
  local asked = { answer = answer, path = name, text = texts.of(buffer), root = root, opened = opened() }
  cancel = server.ask(M.command(), "apply", asked, function(reason, result)
    reason = reason or refusal(result.changes)
    if reason then
      return say(reason)
    end
    show(result.changes, buffer, root)
  end, function(value)
    if value.message then
      say(value.message, vim.log.levels.INFO)
    end
  end)
end

--- `:RedraftEdit [instruction]`: selected lines, rewritten by a model; its words are shown as they come.
function M.edit(called)
  local function ask(instruction)
    if not instruction or vim.trim(instruction) == "" then
      return
    end
    suggestion.dismiss()
    local buffer, first, last = vim.api.nvim_get_current_buf(), called.line1, called.line2
    local asked = { path = vim.api.nvim_buf_get_name(buffer), text = texts.of(buffer), first = first, last = last, instruction = instruction }
    local written, shown = "", nil
    cancel = server.ask(M.command(), "edit", asked, function(reason, change)
      if shown then
        review.drop(buffer, shown)
      end
      reason = reason or refusal({ change })
      if reason then
        return say(reason)
      end
      show({ change }, buffer, "")
    end, function(value)
      written = written .. (value.text or "")
      shown = review.virtual(buffer, math.min(last, vim.api.nvim_buf_line_count(buffer)), texts.lines(written), nil, shown)
    end)
  end
  if called.args and called.args ~= "" then
    return ask(called.args)
  end
  vim.ui.input({ prompt = "What to do with these lines: " }, ask)
end

function M.accept(called)
  local buffer = vim.api.nvim_get_current_buf()
  if review.count(buffer) == 0 then
    return say("there is no hunk here")
  end
  local lost = review.accept(buffer, called.bang)
  if lost > 0 then
    say(("%d hunk%s left: the lines have changed since"):format(lost, lost == 1 and "" or "s"))
  end
  tidy(buffer)
end

function M.reject(called)
  local buffer = vim.api.nvim_get_current_buf()
  if review.count(buffer) == 0 then
    return say("there is no hunk here")
  end
  review.reject(buffer, called.bang)
  tidy(buffer)
end

--- `:RedraftNext`: the next edit, shown to be taken by a key.
function M.next()
  suggestion.ask(M.command(), M.options.suggest.key, function(reason)
    say(reason, vim.log.levels.INFO)
  end)
end

function M.cancel()
  cancel()
  suggestion.dismiss()
end

return M
