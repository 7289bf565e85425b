-- In: a buffer and the cursor in it. Out: the next edit as a suggestion, to be taken by a key; else nothing is changed.

local past = require("redraft.past")
local review = require("redraft.review")
local server = require("redraft.server")
local texts = require("redraft.text")

local M = {}

local namespace = vim.api.nvim_create_namespace("redraft")
local asked -- { state, cancel }: the newest request
local shown -- { state, buffer, key, row, old, new, marks, mapped }: the suggestion
local failed = false -- what failed is not asked again by itself
local timer = assert(vim.uv.new_timer())

local function state()
  local buffer = vim.api.nvim_get_current_buf()
  return { buffer, vim.api.nvim_buf_get_changedtick(buffer), vim.api.nvim_win_get_cursor(0) }
end

local function is_now(one)
  return one ~= nil and vim.deep_equal(one.state, state())
end

--- How many bytes of two lines are the same in front, whole characters alone.
local function same(one, other)
  local count = 0
  while count < math.min(#one, #other) and one:byte(count + 1) == other:byte(count + 1) do
    count = count + 1
  end
  return count < #one and count + vim.str_utf_start(one, count + 1) or count
end

--- The lines that an edit of a text changes in its buffer.
local function change_of(buffer, text, edit)
  local lines = vim.split(text, "\n")
  local made = vim.list_slice(lines, 1, edit.first - 1)
  vim.list_extend(made, texts.lines(edit.text))
  vim.list_extend(made, lines, edit.last + 1)
  local before, after = vim.api.nvim_buf_get_lines(buffer, 0, -1, false), texts.lines(table.concat(made, "\n"))
  local least, above, below = math.min(#before, #after), 0, 0
  while above < least and before[above + 1] == after[above + 1] do
    above = above + 1
  end
  while below < least - above and before[#before - below] == after[#after - below] do
    below = below + 1
  end
  return { row = above, old = vim.list_slice(before, above + 1, #before - below), new = vim.list_slice(after, above + 1, #after - below) }
end

--- Where text comes into the one line that changes, and the text; nil where more changes.
local function insertion(change)
  local old, new = change.old[1], change.new[1]
  if #change.old ~= 1 or not new then
    return nil
  end
  local column = same(old, new)
  local rest = old:sub(column + 1)
  if #new - column < #rest or not vim.endswith(new, rest) or (#change.new > 1 and rest ~= "") then
    return nil
  end
  return column, new:sub(column + 1, #new - #rest)
end

local function draw(buffer, change)
  local column, typed = insertion(change)
  local row, come = change.row, column and vim.list_slice(change.new, 2) or change.new
  local marks = {}
  if column then
    local ghost = { virt_text = { { typed, "DiffAdd" } }, virt_text_pos = "inline" }
    table.insert(marks, vim.api.nvim_buf_set_extmark(buffer, namespace, row, column, ghost))
  elseif #change.old > 0 then
    local gone = { end_row = row + #change.old, hl_group = "DiffDelete", hl_eol = true, strict = false }
    table.insert(marks, vim.api.nvim_buf_set_extmark(buffer, namespace, row, 0, gone))
  end
  if #come > 0 then
    table.insert(marks, review.virtual(buffer, row + #change.old, come))
  end
  return marks
end

--- Gives the key to the suggestion; what it did in the buffer comes back by what is returned.
local function map(buffer, key)
  local before = {}
  for _, mode in ipairs({ "n", "i" }) do
    local old = vim.fn.maparg(key, mode, false, true)
    before[mode] = old.buffer == 1 and old or nil
    vim.keymap.set(mode, key, M.key, { buffer = buffer, desc = "redraft: the next edit" })
  end
  return before
end

local function unmap(buffer, key, before)
  for _, mode in ipairs({ "n", "i" }) do
    pcall(vim.keymap.del, mode, key, { buffer = buffer })
    if before[mode] then
      vim.api.nvim_buf_call(buffer, function()
        vim.fn.mapset(mode, false, before[mode])
      end)
    end
  end
end

--- Takes the suggestion away, and ends what is asked for.
function M.dismiss()
  vim.api.nvim_create_augroup("redraft.next", {})
  local older, one = asked, shown
  asked, shown = nil, nil
  if older then
    older.cancel()
  end
  if not one or not vim.api.nvim_buf_is_valid(one.buffer) then
    return
  end
  for _, mark in ipairs(one.marks) do
    review.drop(one.buffer, mark)
  end
  unmap(one.buffer, one.key, one.mapped)
end

--- Any typing and any movement of the cursor dismiss it.
local function watch()
  vim.api.nvim_create_autocmd(
    { "CursorMoved", "CursorMovedI", "TextChanged", "TextChangedI", "TextChangedP", "InsertEnter", "InsertLeave", "BufLeave" },
    {
      group = vim.api.nvim_create_augroup("redraft.next", {}),
      callback = function(event)
        local left = vim.startswith(event.event, "Insert") or event.event == "BufLeave"
        if left or not is_now(shown or asked) then
          M.dismiss()
        end
      end,
    }
  )
end

local function show(buffer, key, change)
  shown = vim.tbl_extend("error", change, { buffer = buffer, key = key, state = state() })
  shown.marks = draw(buffer, change)
  shown.mapped = map(buffer, key)
end

local function request(buffer)
  local line, column = unpack(vim.api.nvim_win_get_cursor(0))
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ":.")
  local path = name ~= "" and name or "file"
  local left = vim.api.nvim_get_current_line():sub(1, column)
  return {
    text = texts.of(buffer),
    line = line,
    column = vim.fn.strchars(left) + 1,
    path = path,
    history = past.diff(buffer, line, path),
  }
end

--- Asks for the next edit and shows it; `tell` hears why none is shown, and whether that is a failure.
function M.ask(command, key, tell)
  M.dismiss()
  local buffer = vim.api.nvim_get_current_buf()
  if not vim.bo[buffer].modifiable then
    return tell("this buffer cannot be changed", false)
  end
  local one, params = { state = state(), cancel = function() end }, request(buffer)
  asked = one
  watch()
  one.cancel = server.ask(command, "next", params, function(reason, found)
    if asked ~= one then
      return
    end
    asked = nil
    failed = reason ~= nil
    if failed then
      return tell(reason, true)
    end
    local change = is_now(one) and found.edit and change_of(buffer, params.text, found.edit)
    if change and #change.old + #change.new > 0 then
      show(buffer, key, change)
    elseif is_now(one) then
      tell("no next edit here", false)
    end
  end)
end

--- Asks after each pause in insert mode, where that is wanted; failures alone are told.
function M.automatic(command, options, tell)
  local group = vim.api.nvim_create_augroup("redraft.automatic", {})
  timer:stop()
  failed = false
  if not options.automatic then
    return
  end
  local function pause()
    local is_file = vim.bo.buftype == "" and vim.bo.modifiable
    local is_typing = vim.api.nvim_get_mode().mode == "i" and vim.fn.pumvisible() == 0
    if is_file and is_typing and not failed then
      M.ask(command, options.key, tell)
    end
  end
  vim.api.nvim_create_autocmd("TextChangedI", {
    group = group,
    callback = function()
      timer:start(options.pause, 0, vim.schedule_wrap(pause))
    end,
  })
end

local function take(one)
  M.dismiss()
  vim.bo.undolevels = vim.bo.undolevels -- a change of its own for undo
  vim.api.nvim_buf_set_lines(one.buffer, one.row, one.row + #one.old, false, one.new)
  local column, typed = insertion(one)
  local is_within = column and #one.new == 1
  local line = math.min(one.row + math.max(#one.new, 1), vim.api.nvim_buf_line_count(one.buffer))
  vim.api.nvim_win_set_cursor(0, { line, is_within and column + #typed or #(one.new[#one.new] or "") })
end

local function is_at(one, line)
  local first = one.row + (#one.old > 0 and 1 or 0)
  return line >= first and line <= one.row + math.max(#one.old, 1)
end

--- Takes the suggestion at the cursor, goes to one elsewhere, and without one does what the key did.
function M.key()
  local one = shown
  if not is_now(one) then
    M.dismiss()
    return vim.api.nvim_feedkeys(vim.keycode(one.key), "mi", false)
  end
  if is_at(one, vim.api.nvim_win_get_cursor(0)[1]) then
    return take(one)
  end
  review.go(one.buffer, one.row)
  local line = math.min(one.row + 1, vim.api.nvim_buf_line_count(one.buffer))
  vim.api.nvim_win_set_cursor(0, { line, same(one.old[1] or "", one.new[1] or "") })
  one.state = state()
end

return M
