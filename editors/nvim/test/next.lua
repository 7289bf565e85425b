-- In: the Python of REDRAFT_PYTHON, with redraft. Out: a line a test, and exit code 1 where one fails.
--   nvim --headless --clean --cmd 'set rtp+=$PWD/editors/nvim' -l editors/nvim/test/next.lua
-- Keys go to a second Neovim, whose main loop tells of typing and of movements as it does to a user.

local FILE = { "def area(width):", "    return width", "", "", "print(area(3))" }
local folder = vim.fn.tempname()
vim.fn.mkdir(folder, "p")
local plugin = vim.fs.dirname(vim.fs.dirname(vim.fs.abspath(debug.getinfo(1, "S").source:sub(2))))
local editor

local function start()
  local command = { vim.v.progpath, "--embed", "--headless", "--clean", "-n", "--cmd", "set rtp+=" .. plugin }
  editor = vim.fn.jobstart(command, { rpc = true, cwd = folder })
  vim.rpcrequest(editor, "nvim_exec_lua", "said = {}; vim.notify = function(text) table.insert(said, text) end", {})
end

local function lua(code, ...)
  return vim.rpcrequest(editor, "nvim_exec_lua", code, { ... })
end

local function press(keys)
  vim.rpcrequest(editor, "nvim_input", keys)
end

local function lines()
  return vim.rpcrequest(editor, "nvim_buf_get_lines", 0, 0, -1, false)
end

local function cursor()
  return vim.rpcrequest(editor, "nvim_win_get_cursor", 0)
end

local function equal(one, other)
  assert(vim.deep_equal(one, other), vim.inspect(one) .. " is not " .. vim.inspect(other))
end

--- Waits until a function gives what is wanted.
local function becomes(wanted, asked)
  local last
  local found = vim.wait(120000, function()
    last = asked()
    return vim.deep_equal(last, wanted)
  end, 20)
  assert(found, vim.inspect(last) .. " never became " .. vim.inspect(wanted))
end

local function shown()
  return lua([[
    local found = {}
    local namespace = vim.api.nvim_get_namespaces().redraft
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
      for _, piece in ipairs(mark[4].virt_text or {}) do
        table.insert(found, ("%d:%d %s"):format(mark[2] + 1, mark[3] + 1, piece[1]))
      end
      for _, line in ipairs(mark[4].virt_lines or {}) do
        table.insert(found, line[1][1])
      end
    end
    return found
  ]])
end

local function said()
  return lua("return said")
end

local function scripted(text)
  local file = vim.fn.tempname() -- a new one is read by a new server
  vim.fn.writefile(text, file)
  return "scripted:" .. file
end

local function setup(options)
  local program = { vim.env.REDRAFT_PYTHON or "python3", "-m", "redraft" }
  lua("require('redraft').setup(...)", vim.tbl_extend("force", { command = program }, options))
end

--- A file that is open, and what a model says comes next in it.
local function open(before, after)
  vim.fn.writefile(before, folder .. "/a.py")
  setup({ engine = scripted(after) })
  lua("vim.cmd('silent! %bwipeout!'); vim.cmd.edit('a.py')")
end

local function changed(row, text)
  local after = vim.deepcopy(FILE)
  after[row] = text
  return after
end

local tests = {}

function tests.text_at_the_cursor_is_shown_and_taken_by_tab()
  local after = changed(2, "    return width * 2")
  open(FILE, after)
  press("jA<Cmd>RedraftNext<CR>")
  becomes({ "2:17  * 2" }, shown)
  equal(lines(), FILE)
  press("<Tab>")
  becomes(after, lines)
  equal({ cursor(), shown() }, { { 2, 20 }, {} })
  press("!<Esc>")
  becomes(changed(2, "    return width * 2!"), lines)
end

function tests.what_is_taken_is_undone_and_what_was_typed_stays()
  open(FILE, changed(2, "    return width * 2"))
  press("jA *<Cmd>RedraftNext<CR>")
  becomes({ "2:19  2" }, shown)
  press("<Tab><Esc>")
  becomes(changed(2, "    return width * 2"), lines)
  press("u")
  becomes(changed(2, "    return width *"), lines)
end

function tests.a_change_elsewhere_is_gone_to_and_then_taken()
  local after = changed(5, "print(area(width=3))")
  open(FILE, after)
  press("i<Cmd>RedraftNext<CR>")
  becomes({ "5:12 width=" }, shown)
  press("<Tab>")
  becomes({ 5, 11 }, cursor)
  equal({ lines(), shown() }, { FILE, { "5:12 width=" } })
  press("<Tab>")
  becomes(after, lines)
  becomes({}, shown)
end

function tests.lines_that_come_and_lines_that_go()
  for _, after in ipairs({
    { "import os", "", unpack(FILE) },
    { FILE[1], "    # ä", "    return 2", unpack(FILE, 3) },
    { unpack(FILE, 3) },
    vim.list_extend(vim.deepcopy(FILE), { "print(area(4))", "print(5)" }),
  }) do
    open(FILE, after)
    press("<Cmd>RedraftNext<CR>")
    becomes(1, function()
      return lua("return vim.fn.maparg('<Tab>', 'n') == '' and 0 or 1")
    end)
    press("<Tab><Tab>")
    becomes(after, lines)
  end
end

function tests.typing_and_movements_dismiss_it_and_tab_is_what_it_was()
  open(FILE, changed(2, "    return width * 2"))
  lua("vim.keymap.set('i', '<Tab>', 'mine', { buffer = true })")
  for _, keys in ipairs({ "x", "<Up>", "<Esc>" }) do
    press("<Esc>ggjA<Cmd>RedraftNext<CR>")
    becomes({ "2:17  * 2" }, shown)
    press(keys)
    becomes({}, shown)
    press("<Esc>u")
    becomes(FILE, lines)
  end
  press("GA<Tab><Esc>")
  becomes(changed(5, "print(area(3))mine"), lines)
end

--- Runs code, and waits until all that was asked is answered: what is asked next is answered next.
local function answered(code)
  lua(code .. [[
    local is_later = false
    require("redraft.server").ask(require("redraft").command(), "next", { text = "", line = 1 }, function()
      is_later = true
    end)
    assert(vim.wait(120000, function() return is_later end))
  ]])
end

function tests.an_answer_for_an_older_text_is_dropped()
  open(FILE, changed(2, "    return width * 2"))
  answered("vim.cmd.RedraftNext(); vim.api.nvim_buf_set_lines(0, 0, 0, false, { '# mine' })")
  equal({ shown(), said(), lines() }, { {}, {}, { "# mine", unpack(FILE) } })
end

function tests.of_two_requests_the_newest_is_answered()
  open(FILE, changed(2, "    return width * 2"))
  answered("vim.cmd.RedraftNext(); vim.cmd.RedraftNext();")
  equal({ shown(), said() }, { { "2:17  * 2" }, {} })
end

function tests.without_a_program_it_says_what_to_install()
  open(FILE, FILE)
  setup({ command = { "no-such-redraft" } })
  press("<Cmd>RedraftNext<CR>")
  becomes({ "redraft: there is no program no-such-redraft: install it with `pip install redraft`" }, said)
  equal(lines(), FILE)
end

function tests.nothing_to_suggest_is_said_in_a_line()
  open(FILE, FILE)
  press("<Cmd>RedraftNext<CR>")
  becomes({ "redraft: no next edit here" }, said)
  equal({ lines(), shown() }, { FILE, {} })
end

function tests.without_a_model_it_says_what_to_do_and_asks_no_more_by_itself()
  open(FILE, FILE)
  local suggest = { automatic = true, pause = 1 }
  setup({ engine = "embedded", readers = "auto", suggest = suggest })
  press("jA+<Esc>")
  press("A+")
  becomes(1, function()
    return #said()
  end)
  assert(said()[1]:find("^redraft: .*redraft model get small"), said()[1])
  lua([[
    vim.api.nvim_create_autocmd("TextChangedI", {
      callback = function()
        vim.defer_fn(function() is_over = true end, 50) -- behind the plugin's own timer
      end,
    })
  ]])
  press("+")
  becomes(true, function()
    return lua("return is_over")
  end)
  equal(lua("return #vim.api.nvim_get_autocmds({ group = 'redraft.next' })"), 0)
  press("<Cmd>RedraftNext<CR>") -- a request of the user's own is told again
  becomes(2, function()
    return #said()
  end)
end

function tests.a_pause_in_insert_mode_asks_where_that_is_wanted()
  local after = changed(2, "    return width + 2")
  open(FILE, after)
  setup({ engine = scripted(after), suggest = { automatic = true, pause = 1 } })
  press("jA +")
  becomes({ "2:19  2" }, shown)
  press("<Tab>")
  becomes(after, lines)
  becomes(0, function()
    return lua("return vim.fn.maparg('<Tab>', 'i', false, true).buffer or 0")
  end)
  equal(said(), {})
end

function tests.it_is_off_unless_it_is_wanted()
  open(FILE, changed(2, "    return width * 2"))
  press("jA<Space><BS>")
  becomes({ mode = "i", blocking = false }, function()
    return vim.rpcrequest(editor, "nvim_get_mode")
  end)
  equal(lua("return #vim.api.nvim_get_autocmds({ group = 'redraft.automatic' })"), 0)
end

function tests.the_history_is_what_was_changed_last_the_nearest_lines_behind()
  local long = {}
  for number = 1, 30 do
    long[number] = "line " .. number
  end
  open(long, long)
  lua("vim.api.nvim_buf_set_lines(0, 1, 2, false, { 'two' }); vim.api.nvim_buf_set_lines(0, 27, 28, false, { 'far' })")
  local function told(line)
    local diff = lua("return require('redraft.past').diff(vim.api.nvim_get_current_buf(), ..., 'a.py')", line)
    return vim.iter(vim.split(diff, "\n")):filter(function(each)
      return each:find("^[+]%a") ~= nil
    end):totable()
  end
  equal({ told(1), told(30) }, { { "+far", "+two" }, { "+two", "+far" } })
  lua("vim.cmd('silent write')")
  equal(told(1), { "+far", "+two" })
  lua("vim.api.nvim_buf_set_lines(0, 4, 5, false, { 'new' })")
  equal(told(1), { "+new" })
end

local order = vim.tbl_keys(tests)
table.sort(order)
local failed = false
for _, name in ipairs(order) do
  start()
  local ok, reason = xpcall(tests[name], debug.traceback)
  vim.fn.jobstop(editor)
  io.stderr:write((ok and "ok " or "FAILED ") .. name .. (ok and "" or "\n" .. reason) .. "\n")
  failed = failed or not ok
end
os.exit(failed and 1 or 0)
