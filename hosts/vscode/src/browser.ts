import * as vscode from 'vscode';
import { rootEditor, VIEW_TYPE, wholeFile } from './editor';

/** In an editor that is a web page there is no file system: files are read whole, and the view does all. */
export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.window.registerCustomEditorProvider(VIEW_TYPE, rootEditor(context.extensionUri, wholeFile), {
      supportsMultipleEditorsPerDocument: true,
    }),
  );
}
