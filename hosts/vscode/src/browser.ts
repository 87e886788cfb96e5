import * as vscode from 'vscode';
import { rootEditor, type Shown, VIEW_TYPE, wholeFile } from './editor';

/** The extension in an editor that is a web page. There is no file system: files are read whole, by the view. */
export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.window.registerCustomEditorProvider(VIEW_TYPE, rootEditor(context.extensionUri, bytesOf), {
      supportsMultipleEditorsPerDocument: true,
    }),
  );
}

async function bytesOf(uri: vscode.Uri): Promise<Shown> {
  return { kind: 'bytes', bytes: await wholeFile(uri) };
}
