-- Neovim 0.8 or newer: colouring, and the language server `robcogen lsp`.
-- Copy or link this file to ~/.config/nvim/plugin/robcogen.lua
-- Another command for the server: vim.g.robcogen_command = { "ros2", "run", "robcogen_ros", "lsp" }

local keywords = {
  kindsl = {
    Type = "Robot RobotBase link limb loop r_joint p_joint fixed_joint",
    StorageClass = "virtual floating continuous",
    Keyword = "inertia_params inertia_properties children frames ref_frame limits friction spring mimic independent position via",
    Identifier = "id mass CoM Ix Iy Iz Ixy Ixz Iyz translation rotation armature lower upper velocity "
      .. "effort viscous dry stiffness rest length joint multiplier offset screw_thread_pitch predecessor successor "
      .. "fixed",
    Constant = "PI",
    Function = "sqrt sin cos",
  },
  motdsl = {
    Type = "Model Frames Params",
    Keyword = "Convention",
    Constant = "PI Pi pi local currentFrame fixed fixedFrame",
    Function = "rotx roty rotz trx try trz",
  },
  ctdsl = {
    Type = "Model Frames Params",
    Keyword = "MovedFramePos TransformedFramePos _X_",
    Constant = "PI Pi pi left right",
    Function = "Rx Ry Rz Tx Ty Tz",
  },
  dtdsl = {
    Type = "Robot Model Frames Transforms Jacobians",
    Identifier = "left left_frame base right right_frame target",
  },
}

local function colour(words)
  vim.cmd("syntax clear")
  for group, list in pairs(words) do
    vim.cmd("syntax keyword robcogen" .. group .. " " .. list)
    vim.cmd("highlight default link robcogen" .. group .. " " .. group)
  end
  vim.cmd([[syntax match robcogenName "\^[A-Za-z_]\w*"]])
  vim.cmd([[syntax match robcogenNumber "\<\d\+\.\?\d*\([eE][+-]\?\d\+\)\?\|\.\d\+\([eE][+-]\?\d\+\)\?"]])
  vim.cmd([[syntax match robcogenComment "//.*$"]])
  vim.cmd([[syntax region robcogenComment start="/\*" end="\*/"]])
  vim.cmd("highlight default link robcogenNumber Number")
  vim.cmd("highlight default link robcogenComment Comment")
end

vim.filetype.add({ extension = { kindsl = "kindsl", motdsl = "motdsl", ctdsl = "ctdsl", dtdsl = "dtdsl" } })

vim.api.nvim_create_autocmd("FileType", {
  pattern = vim.tbl_keys(keywords),
  callback = function(event)
    vim.bo[event.buf].commentstring = "// %s"
    colour(keywords[event.match])
    vim.lsp.start({
      name = "robcogen",
      cmd = vim.g.robcogen_command or { "robcogen", "lsp" },
      root_dir = vim.fn.fnamemodify(event.file, ":p:h"),
    })
  end,
})
