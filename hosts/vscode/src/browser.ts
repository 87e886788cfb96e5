import * as vscode from 'vscode';
import { rootEditor, type Shown, VIEW_TYPE, wholeFile } from './editor';

/** In an editor that is a web page there is no file system: files are read whole, and the view does all. */
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
