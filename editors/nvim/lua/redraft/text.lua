-- In: a buffer, or a text. Out: its text, or its lines, as the server and the buffer have them.

local M = {}

function M.of(buffer)
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  if #lines == 1 and lines[1] == "" then
    return ""
  end
  return table.concat(lines, "\n") .. ((vim.bo[buffer].eol or vim.bo[buffer].fixeol) and "\n" or "")
end

function M.lines(text)
  local lines = vim.split(text:gsub("\r\n", "\n"), "\n")
  if lines[#lines] == "" then
    table.remove(lines)
  end
  return lines
end

return M
