-- In: a buffer, and the hunks of a change. Out: each shown in it, the new lines as virtual ones, to be taken or left.

local M = {}

local namespace = vim.api.nvim_create_namespace("redraft")
local hunks = {} -- by buffer, in order: { mark, shown, old, new }

local function row_of(buffer, hunk)
  return vim.api.nvim_buf_get_extmark_by_id(buffer, namespace, hunk.mark, {})[1]
end

local function forget(buffer, hunk)
  vim.api.nvim_buf_del_extmark(buffer, namespace, hunk.mark)
  vim.api.nvim_buf_del_extmark(buffer, namespace, hunk.shown)
  hunks[buffer] = vim.tbl_filter(function(each)
    return each ~= hunk
  end, hunks[buffer])
end

--- Lines below the one before `row`, that are not in the buffer.
function M.virtual(buffer, row, lines, note, id)
  local shown = vim.tbl_map(function(line)
    return { { line == "" and " " or line, "DiffAdd" } }
  end, lines)
  if note then
    table.insert(shown, { { note, "Comment" } })
  end
  local above = row == 0
  return vim.api.nvim_buf_set_extmark(buffer, namespace, above and 0 or row - 1, 0, {
    id = id,
    virt_lines = shown,
    virt_lines_above = above,
  })
end

--- Goes to a line. Lines above the first one are shown only where the window is told to leave room for them.
function M.go(buffer, row)
  vim.api.nvim_win_set_cursor(0, { math.min(row + 1, vim.api.nvim_buf_line_count(buffer)), 0 })
  local room = 0
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, namespace, 0, { 0, -1 }, { details = true })) do
    room = room + (mark[4].virt_lines_above and #mark[4].virt_lines or 0)
  end
  if row == 0 and room > 0 then
    vim.fn.winrestview({ topline = 1, topfill = room })
  end
end

function M.drop(buffer, id)
  vim.api.nvim_buf_del_extmark(buffer, namespace, id)
end

local function show(buffer, hunk)
  local mark = vim.api.nvim_buf_set_extmark(buffer, namespace, math.min(hunk.row, vim.api.nvim_buf_line_count(buffer) - 1), 0, {
    end_row = hunk.row + #hunk.old,
    hl_group = "DiffDelete",
    hl_eol = true,
    strict = false,
    right_gravity = false,
  })
  local note = hunk.sure and ("%d%% sure"):format(math.floor(hunk.sure * 100)) or nil
  local shown = M.virtual(buffer, hunk.row + #hunk.old, hunk.new, note)
  return { mark = mark, shown = shown, old = hunk.old, new = hunk.new, at_end = hunk.row >= vim.api.nvim_buf_line_count(buffer) }
end

--- Shows the hunks, each { row, old, new, sure }, in place of those shown before.
function M.show(buffer, found)
  M.clear(buffer)
  hunks[buffer] = vim.tbl_map(function(hunk)
    return show(buffer, hunk)
  end, found)
end

function M.count(buffer)
  return #(hunks[buffer] or {})
end

function M.clear(buffer)
  vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  hunks[buffer] = {}
end

--- The hunk at the cursor, or the nearest one.
local function nearest(buffer)
  local cursor = vim.api.nvim_win_get_cursor(0)[1] - 1
  local best, distance
  for _, hunk in ipairs(hunks[buffer] or {}) do
    local row = row_of(buffer, hunk)
    local far = math.max(row - cursor, cursor - row - math.max(#hunk.old - 1, 0), 0)
    if not best or far < distance then
      best, distance = hunk, far
    end
  end
  return best
end

--- Takes hunks; says of how many the lines have changed since, which are left as they are.
function M.accept(buffer, all)
  local lost, joined = 0, false
  for _, hunk in ipairs(all and hunks[buffer] or { nearest(buffer) }) do
    local row = row_of(buffer, hunk) + (hunk.at_end and 1 or 0)
    local now = vim.api.nvim_buf_get_lines(buffer, row, row + #hunk.old, false)
    if vim.deep_equal(now, hunk.old) then
      if joined then
        pcall(vim.cmd.undojoin)
      end
      vim.api.nvim_buf_set_lines(buffer, row, row + #hunk.old, false, hunk.new)
      joined = true
    else
      lost = lost + 1
    end
    forget(buffer, hunk)
  end
  return lost
end

function M.reject(buffer, all)
  for _, hunk in ipairs(all and hunks[buffer] or { nearest(buffer) }) do
    forget(buffer, hunk)
  end
end

function M.jump(buffer, forward)
  local cursor = vim.api.nvim_win_get_cursor(0)[1] - 1
  local rows = vim.tbl_map(function(hunk)
    return row_of(buffer, hunk)
  end, hunks[buffer] or {})
  local target
  for _, row in ipairs(rows) do
    if forward and row > cursor then
      target = target or row
    elseif not forward and row < cursor then
      target = row
    end
  end
  target = target or rows[forward and 1 or #rows]
  if target then
    M.go(buffer, target)
  end
end

return M
