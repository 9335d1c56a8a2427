// Starts `robcogen lsp`. Without `npm install` in this folder there is colouring only.

const vscode = require("vscode");

const LANGUAGES = ["kindsl", "motdsl", "ctdsl", "dtdsl"];
let client;

async function activate() {
  let languageclient;
  try {
    languageclient = require("vscode-languageclient/node");
  } catch {
    vscode.window.showWarningMessage(
      `RobCoGen: only colouring works. For the language server, run "npm install" in ${__dirname}.`
    );
    return;
  }
  const [command, ...args] = vscode.workspace.getConfiguration("robcogen").get("command");
  client = new languageclient.LanguageClient(
    "robcogen",
    "RobCoGen",
    { command, args },
    { documentSelector: LANGUAGES.map((language) => ({ language })) }
  );
  await client.start();
}

async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
