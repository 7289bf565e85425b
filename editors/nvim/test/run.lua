-- In: the Python of REDRAFT_PYTHON, with redraft. Out: a line a test, and exit code 1 where one fails.
--   nvim --headless --clean --cmd 'set rtp+=$PWD/editors/nvim' -l editors/nvim/test/run.lua

local redraft = require("redraft")
vim.cmd.runtime("plugin/redraft.lua")

local FILE = { "def a():", "    return 1", "", "", "def b():", "    return 2" }
local ANSWER = "```python\ndef a():\n    return 10\n\n\ndef b():\n    return 20\n```\n"
local folder = vim.fn.tempname()
vim.fn.mkdir(folder, "p")
vim.cmd.cd(folder)

local said = {}
vim.notify = function(text)
  table.insert(said, text)
end

local function program(...)
  return { vim.env.REDRAFT_PYTHON or "python3", "-m", "redraft", ... }
end

local function write(name, lines)
  vim.fn.writefile(lines, folder .. "/" .. name)
  return folder .. "/" .. name
end

local function open(lines, name)
  local path = write(name or "a.py", lines)
  vim.cmd("silent! %bwipeout!")
  vim.cmd.edit(path)
  said = {}
  return vim.api.nvim_get_current_buf()
end

local function lines(buffer)
  return vim.api.nvim_buf_get_lines(buffer or 0, 0, -1, false)
end

local function equal(one, other)
  assert(vim.deep_equal(one, other), vim.inspect(one) .. " is not " .. vim.inspect(other))
end

--- Waits until a message matches.
local function heard(pattern)
  local found = vim.wait(120000, function()
    return vim.iter(said):any(function(text)
      return text:find(pattern) ~= nil
    end)
  end, 20)
  assert(found, pattern .. " was not said, but " .. vim.inspect(said))
end

local function shown()
  local namespace = vim.api.nvim_get_namespaces().redraft
  local found = {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
    for _, line in ipairs(mark[4].virt_lines or {}) do
      table.insert(found, line[1][1])
    end
  end
  return found
end

local function apply(answer)
  vim.fn.setreg("a", answer)
  vim.cmd("Redraft a")
end

local function press(keys)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), "xt", false)
end

local tests = {}

function tests.hunks_are_shown_and_the_buffer_stays()
  open(FILE)
  apply(ANSWER)
  heard("2 hunks")
  equal(lines(), FILE)
  equal({ shown()[1], shown()[3] }, { "    return 10", "    return 20" })
  assert(shown()[2]:find("%d%% sure"))
end

function tests.a_hunk_is_taken_and_another_left_by_keys_and_undone()
  open(FILE)
  apply(ANSWER)
  heard("2 hunks")
  press("\\ry")
  equal(lines(), { "def a():", "    return 10", "", "", "def b():", "    return 2" })
  press("]r\\rn")
  equal(shown(), {})
  equal(vim.fn.maparg("\\ry", "n"), "")
  press("u")
  equal(lines(), FILE)
end

function tests.all_hunks_are_taken_and_undone_at_once()
  open(FILE)
  apply(ANSWER)
  heard("2 hunks")
  vim.cmd("RedraftAccept!")
  equal(lines(), { "def a():", "    return 10", "", "", "def b():", "    return 20" })
  vim.cmd("undo")
  equal(lines(), FILE)
end

function tests.lines_come_at_the_end_and_into_an_empty_file()
  open(FILE)
  apply("```python\ndef b():\n    return 2\n\n\ndef c():\n    return 3\n```\n")
  heard("1 hunk")
  vim.cmd("RedraftAccept")
  equal(lines(), vim.list_extend(vim.deepcopy(FILE), { "", "", "def c():", "    return 3" }))
end

function tests.lines_above_the_first_one_are_seen()
  open(FILE)
  apply("```diff\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,4 @@\n+import os\n+\n def a():\n     return 1\n```\n")
  heard("1 hunk")
  vim.cmd.redraw()
  local seen = {}
  for column = 1, 9 do
    table.insert(seen, vim.fn.screenstring(1, column))
  end
  equal(table.concat(seen), "import os")
  vim.cmd("RedraftAccept")
  equal(lines(), vim.list_extend({ "import os", "" }, FILE))
end

function tests.a_buffer_that_cannot_be_changed_is_called_that()
  open(FILE)
  vim.bo.modifiable = false
  apply(ANSWER)
  heard("cannot be changed")
  equal(shown(), {})
end

function tests.a_hunk_moves_with_the_lines_above_it()
  open(FILE)
  apply(ANSWER)
  heard("2 hunks")
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { "# mine", "" })
  vim.cmd("RedraftAccept!")
  equal(lines(), { "# mine", "", "def a():", "    return 10", "", "", "def b():", "    return 20" })
end

function tests.a_hunk_whose_lines_have_changed_is_left()
  open(FILE)
  apply(ANSWER)
  heard("2 hunks")
  vim.api.nvim_buf_set_lines(0, 1, 2, false, { "    return 7" })
  vim.cmd("RedraftAccept!")
  heard("have changed since")
  equal(lines(), { "def a():", "    return 7", "", "", "def b():", "    return 20" })
end

function tests.an_unsaved_buffer_is_read_as_it_is()
  open({ "x = 1" })
  vim.api.nvim_buf_set_lines(0, 0, -1, false, FILE)
  apply(ANSWER)
  heard("2 hunks")
  vim.cmd("RedraftAccept!")
  equal(lines()[2], "    return 10")
  equal(vim.fn.readfile(folder .. "/a.py"), { "x = 1" })
end

function tests.an_answer_for_another_file_is_refused()
  open(FILE)
  apply("In `other.py`:\n\n```python\nclass Z:\n    # ... existing code ...\n    def z(self):\n        return 3\n```\n")
  heard("redraft: ")
  equal(lines(), FILE)
  equal(shown(), {})
end

function tests.a_refusal_that_a_model_could_decide_says_how_to_have_one()
  redraft.setup({ readers = "auto" })
  open({ "def a(x):", "    check(x)", "    return x", "", "", "def b(x):", "    check(x)", "    return x" })
  apply("```python\n# ...\n    check(x)\n    log(x)\n    return x\n# ...\n```\n")
  heard("to go on: a model could decide: redraft model get small")
  redraft.setup({ readers = "merge" })
end

function tests.several_files_are_hunks_in_their_buffers()
  local own = open(FILE)
  write("b.py", { "left = 0" })
  apply("In `a.py`:\n\n```python\ndef b():\n    return 3\n```\n\nIn `b.py`:\n\n```python\nleft = 1\n```\n\nNew file `c.py`:\n\n```\nc = 1\n```\n")
  heard("3 hunks")
  equal(#vim.fn.getqflist(), 3)
  vim.cmd.cclose()
  for name, wanted in pairs({ ["b.py"] = { "left = 1" }, ["c.py"] = { "c = 1" } }) do
    vim.cmd.buffer(folder .. "/" .. name)
    vim.cmd("RedraftAccept!")
    equal(lines(), wanted)
  end
  equal(lines(own), FILE)
end

function tests.a_buffer_that_changes_meanwhile_stays()
  open(FILE)
  apply(ANSWER)
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { "# mine" })
  heard("has changed since the answer was read")
  equal(shown(), {})
end

function tests.an_empty_register_is_called_that()
  open(FILE)
  apply("")
  heard("register a is empty")
end

function tests.without_a_program_it_says_what_to_install()
  redraft.setup({ command = { "no-such-redraft" } })
  open(FILE)
  apply(ANSWER)
  heard("there is no program no%-such%-redraft.*pip install redraft")
  equal(lines(), FILE)
end

function tests.a_server_that_is_killed_is_said()
  local function signal(name)
    for _, process in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
      vim.uv.kill(process, name)
    end
  end
  open(FILE)
  apply(ANSWER)
  heard("2 hunks")
  open(FILE)
  signal("sigstop") -- a server that runs might answer before it is killed
  apply(ANSWER)
  signal("sigkill")
  heard("redraft has stopped: signal 9")
  equal(lines(), FILE)
end

function tests.a_server_that_ends_is_said_and_the_next_request_starts_another()
  redraft.setup({ command = program(), engine = "nonsense" })
  open(FILE)
  apply(ANSWER)
  heard("redraft has stopped")
  equal(lines(), FILE)
  redraft.setup({ engine = "embedded", readers = "merge" })
  said = {}
  apply(ANSWER)
  heard("2 hunks")
end

function tests.selected_lines_are_rewritten_by_a_model()
  redraft.setup({ command = program(), engine = "scripted:" .. write("said", { "    return 3" }), readers = "auto" })
  open(FILE)
  vim.cmd("6RedraftEdit return 3")
  heard("1 hunk")
  vim.cmd("RedraftAccept")
  equal(lines(), { "def a():", "    return 1", "", "", "def b():", "    return 3" })
end

function tests.what_is_cancelled_leaves_nothing_behind()
  local words = {}
  for number = 1, 20000 do
    words[number] = "    return " .. number
  end
  redraft.setup({ engine = "scripted:" .. write("long", words), readers = "auto" })
  open(FILE)
  vim.cmd("6RedraftEdit more")
  assert(vim.wait(120000, function()
    return #shown() > 0
  end, 1))
  vim.cmd("RedraftCancel")
  heard("cancelled")
  equal({ shown(), lines() }, { {}, FILE })
end

function tests.health_says_what_answers()
  vim.cmd("checkhealth redraft")
  local text = table.concat(lines(), "\n")
  assert(text:find("redraft %d+%.%d+.*engine"), text)
end

local order = vim.tbl_keys(tests)
table.sort(order)
local failed = false
for _, name in ipairs(order) do
  redraft.setup({ command = program(), engine = "embedded", readers = "merge" })
  local ok, reason = xpcall(tests[name], debug.traceback)
  io.stderr:write((ok and "ok " or "FAILED ") .. name .. (ok and "" or "\n" .. reason) .. "\n")
  failed = failed or not ok
end
os.exit(failed and 1 or 0)
