-- In: a buffer. Out: what was changed in it last, as a unified diff: since it was written, or by what was written last.

local M = {}

local before = {} -- by buffer, the lines on the disk before they were written last

local function written(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  if vim.fn.filereadable(name) == 0 then
    return nil
  end
  local lines, encoding = vim.fn.readfile(name), vim.bo[buffer].fileencoding
  if encoding == "" or encoding == "utf-8" then
    return lines
  end
  return vim.tbl_map(function(line)
    return vim.iconv(line, encoding, "utf-8")
  end, lines)
end

local group = vim.api.nvim_create_augroup("redraft.past", {})
vim.api.nvim_create_autocmd("BufWritePre", {
  group = group,
  callback = function(event)
    local old = written(event.buf)
    if old and not vim.deep_equal(old, vim.api.nvim_buf_get_lines(event.buf, 0, -1, false)) then
      before[event.buf] = old
    end
  end,
})
vim.api.nvim_create_autocmd("BufWipeout", {
  group = group,
  callback = function(event)
    before[event.buf] = nil
  end,
})

local function hunks_of(old, new)
  local diff = vim.text and vim.text.diff or vim.diff
  local text = diff(table.concat(old, "\n") .. "\n", table.concat(new, "\n") .. "\n")
  local hunks = {}
  for _, line in ipairs(vim.split(text, "\n", { trimempty = true })) do
    if vim.startswith(line, "@@") then
      table.insert(hunks, { row = tonumber(line:match("%+(%d+)")), lines = {} })
    end
    if #hunks > 0 then
      table.insert(hunks[#hunks].lines, line)
    end
  end
  return hunks
end

--- The diff, the hunk nearest to the line last: the server takes the last one for the newest.
function M.diff(buffer, line, path)
  local now, disk = vim.api.nvim_buf_get_lines(buffer, 0, -1, false), written(buffer)
  local hunks = disk and hunks_of(disk, now) or {}
  if #hunks == 0 and before[buffer] then
    hunks = hunks_of(before[buffer], now)
  end
  table.sort(hunks, function(one, other)
    return math.abs(one.row - line) > math.abs(other.row - line)
  end)
  local told = vim.tbl_map(function(hunk)
    return table.concat(hunk.lines, "\n") .. "\n"
  end, hunks)
  return #told == 0 and "" or ("--- a/%s\n+++ b/%s\n%s"):format(path, path, table.concat(told))
end

return M
