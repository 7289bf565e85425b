-- In: nothing. Out: the commands; what they need is loaded when one is called.

local function command(name, method, options)
  vim.api.nvim_create_user_command(name, function(called)
    require("redraft")[method](called)
  end, options)
end

command("Redraft", "apply", { nargs = "?", desc = "Apply the answer in a register, and show the hunks" })
command("RedraftEdit", "edit", { nargs = "*", range = true, desc = "Have a model rewrite the selected lines" })
command("RedraftAccept", "accept", { bang = true, desc = "Take the hunk at the cursor, with ! all of the buffer" })
command("RedraftReject", "reject", { bang = true, desc = "Leave the hunk at the cursor, with ! all of the buffer" })
command("RedraftCancel", "cancel", { desc = "End what is asked for" })
command("RedraftNext", "next", { desc = "Suggest the next edit" })

vim.keymap.set({ "n", "i" }, "<Plug>(redraft-next)", "<Cmd>RedraftNext<CR>", { desc = "Suggest the next edit" })
