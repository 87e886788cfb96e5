import * as vscode from 'vscode';

/** The bytes of a document, from wherever the extension runs. */
export interface Bytes {
  size: number;
  /** Tells this content from another of the same name. */
  validator: string;
  read(offset: number, length: number): Promise<Uint8Array>;
  close(): void;
}

export interface RootDocument extends vscode.CustomDocument {
  bytes: Bytes;
}

/** Messages of the view. */
type Asked = { kind: 'ready' } | { kind: 'read'; id: number; offset: number; length: number };

export const VIEW_TYPE = 'xylem.root';

/** Shows ROOT files by the element of xylem in a webview; `open` gives the bytes, of which the view asks for ranges. */
export function rootEditor(
  extension: vscode.Uri,
  open: (uri: vscode.Uri) => Promise<Bytes>,
  onShown: (uri: vscode.Uri) => void = () => {},
): vscode.CustomReadonlyEditorProvider<RootDocument> {
  const media = vscode.Uri.joinPath(extension, 'out/media');
  return {
    async openCustomDocument(uri) {
      const bytes = await open(uri);
      return { uri, bytes, dispose: () => bytes.close() };
    },
    resolveCustomEditor({ uri, bytes }, panel) {
      const { webview } = panel;
      webview.options = { enableScripts: true, localResourceRoots: [media] };
      webview.html = pageOf(webview, media);
      webview.onDidReceiveMessage(async (asked: Asked) => {
        if (asked.kind === 'ready') {
          const { size, validator } = bytes;
          void webview.postMessage({ kind: 'file', name: nameOf(uri), size, validator });
          return;
        }
        const { id, offset, length } = asked;
        const answer = await bytes.read(offset, length).then(
          // A view of a larger buffer would be sent with all of it.
          (read) => ({ bytes: read.byteLength === read.buffer.byteLength ? read : read.slice() }),
          (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
        );
        void webview.postMessage({ kind: 'bytes', id, ...answer });
      });
      onShown(uri);
      panel.onDidChangeViewState(() => panel.active && onShown(uri));
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
<xylem-viewer></xylem-viewer>
<script type="module" src="${script}"></script>
</html>`;
}

/** Files of file systems without ranges are read whole; a large one is asked about before. */
export async function wholeFile(uri: vscode.Uri): Promise<Bytes> {
  const { size, mtime } = await vscode.workspace.fs.stat(uri);
  if (size > LARGE) {
    const yes = 'Read all of it';
    const text = `${nameOf(uri)} lies where files cannot be read in parts: all ${Math.round(size / 1e6)} MB of it would be read.`;
    if ((await vscode.window.showWarningMessage(text, { modal: true }, yes)) !== yes)
      throw new vscode.FileSystemError('The file was not read.');
  }
  const bytes = await vscode.workspace.fs.readFile(uri);
  return {
    size: bytes.length,
    validator: `mtime ${mtime}`,
    read: async (offset, length) => bytes.slice(offset, offset + length),
    close: () => {},
  };
}

/** Bytes of a file that is read whole without a question. */
const LARGE = 50_000_000;
