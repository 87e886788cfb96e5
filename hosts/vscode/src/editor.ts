import * as vscode from 'vscode';
import type { ReaderChannel } from '../../../workers/json-channel';

/** How a view gets a document: it is read here for the view, or goes there as bytes. */
export type Shown =
  | { kind: 'served'; serve(channel: ReaderChannel): () => void }
  | { kind: 'bytes'; bytes: Uint8Array };

export interface RootDocument extends vscode.CustomDocument {
  shown: Shown;
}

/** Messages of the view. */
type Asked = { kind: 'ready' } | { kind: 'reader'; message: unknown; buffers: Uint8Array[] };

export const VIEW_TYPE = 'xylem.root';

/** Shows ROOT files by the element of xylem in a webview; `open` says how each gets there. */
export function rootEditor(
  extension: vscode.Uri,
  open: (uri: vscode.Uri) => Promise<Shown>,
  onShown: (uri: vscode.Uri) => void = () => {},
): vscode.CustomReadonlyEditorProvider<RootDocument> {
  const media = vscode.Uri.joinPath(extension, 'out/media');
  return {
    async openCustomDocument(uri) {
      return { uri, shown: await open(uri), dispose: () => {} };
    },
    resolveCustomEditor({ uri, shown }, panel) {
      const { webview } = panel;
      webview.options = { enableScripts: true, localResourceRoots: [media] };
      webview.html = pageOf(webview, media);
      const name = nameOf(uri);
      let end: (() => void) | undefined;
      webview.onDidReceiveMessage((asked: Asked) => {
        if (asked.kind !== 'ready') return;
        end?.();
        end = shown.kind === 'served' ? shown.serve(channelOf(webview)) : undefined;
        void webview.postMessage({ name, ...(shown.kind === 'bytes' ? shown : { kind: 'served' }) });
      });
      panel.onDidDispose(() => end?.());
      onShown(uri);
      panel.onDidChangeViewState(() => panel.active && onShown(uri));
    },
  };
}

/** The channel to the reader of a view. */
function channelOf(webview: vscode.Webview): ReaderChannel {
  return {
    post(message, buffers) {
      const views = buffers.map((buffer) => new Uint8Array(buffer));
      void webview.postMessage({ kind: 'reader', message, buffers: views });
    },
    onMessage(listener) {
      const heard = webview.onDidReceiveMessage((asked: Asked) => {
        if (asked.kind === 'reader') listener(asked.message, asked.buffers);
      });
      return () => heard.dispose();
    },
  };
}

/** The name of a file, or the address that the document stands for. */
export function nameOf(uri: vscode.Uri): string {
  return uri.path.split('/').pop() ?? '';
}

function pageOf(webview: vscode.Webview, media: vscode.Uri): string {
  const own = webview.cspSource;
  const policy = [
    "default-src 'none'",
    `script-src ${own} 'wasm-unsafe-eval'`,
    'worker-src blob:',
    `style-src ${own} 'unsafe-inline'`,
    `img-src ${own} data: blob:`,
    'font-src data:',
    `connect-src ${own}`,
  ].join('; ');
  const script = webview.asWebviewUri(vscode.Uri.joinPath(media, 'view.js'));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style>
html, body { height: 100%; margin: 0; padding: 0; }
xylem-viewer { display: block; height: 100vh; }
</style>
<script type="module" src="${script}"></script>
</html>`;
}

/** Files of file systems without ranges are read whole; a large one is asked about before. */
export async function wholeFile(uri: vscode.Uri): Promise<Uint8Array> {
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > LARGE) {
    const yes = 'Read all of it';
    const text = `${nameOf(uri)} lies where files cannot be read in parts: all ${Math.round(size / 1e6)} MB of it would be read.`;
    if ((await vscode.window.showWarningMessage(text, { modal: true }, yes)) !== yes)
      throw new vscode.FileSystemError('The file was not read.');
  }
  return await vscode.workspace.fs.readFile(uri);
}

/** Bytes of a file that is read whole without a question. */
const LARGE = 50_000_000;
