import * as vscode from 'vscode';
import type { ReaderChannel } from '../../../workers/json-channel';

/** The script of the view, and SHA-256 of that in which JSROOT draws; the build puts them here. */
declare const VIEW_SCRIPT: string;
declare const FRAME_SHA256: string;

/** How a view gets a document: the extension reads it for the view, or sends its bytes. */
export type Shown =
  | { kind: 'served'; start(): void; serve(channel: ReaderChannel): Promise<() => void> }
  | { kind: 'bytes'; bytes: Uint8Array };

export interface RootDocument extends vscode.CustomDocument {
  shown: Shown;
}

/** Messages from the view. */
type Asked = { kind: 'ready' | 'look' } | { kind: 'reader'; message: unknown; buffers: Uint8Array[] };

export const VIEW_TYPE = 'xylem.root';

const EXTENSION_ENDED = 'the extension was stopped, or is started again';
const leaving = new Set<() => void>();

/** Calls when the extension ends; returns a function that forgets that. */
function onLeave(call: () => void): () => void {
  leaving.add(call);
  return () => leaving.delete(call);
}

/** Tells all views that the extension ends. */
export function leave(): void {
  for (const call of leaving) call();
}

/** Members of the state of the element. */
type State = Readonly<Record<string, string>>;

/** The panel of each file that is shown, and states of files that are about to be. */
const panels = new Map<string, vscode.WebviewPanel>();
const wanted = new Map<string, State>();

/** Opens a file, or goes to its editor, and shows this state there. */
export async function showState(uri: vscode.Uri, state: State): Promise<void> {
  const panel = panels.get(uri.toString());
  if (panel === undefined) wanted.set(uri.toString(), state);
  await vscode.commands.executeCommand('vscode.openWith', uri, VIEW_TYPE);
  await panel?.webview.postMessage({ kind: 'state', state });
}

/** Shows ROOT files by the element of xylem in a webview. `open` says how the view gets each file. */
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
      webview.options = { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(media, '..')] };
      webview.html = pageOf(webview, media);
      // While the editor makes the view; before, the editor would have waited for it.
      if (shown.kind === 'served') setTimeout(() => shown.start());
      const [name, id] = [nameOf(uri), uri.toString()];
      panels.set(id, panel);
      panel.onDidDispose(() => panels.get(id) === panel && panels.delete(id));
      const channel = channelOf(panel);
      let end: (() => void) | undefined;
      const show = async (): Promise<void> => {
        end?.();
        end = shown.kind === 'served' ? await shown.serve(channel) : undefined;
        const state = wanted.get(id);
        wanted.delete(id);
        await webview.postMessage({ name, state, ...(shown.kind === 'bytes' ? shown : { kind: 'served' }) });
      };
      webview.onDidReceiveMessage((asked: Asked) => {
        if (asked.kind === 'look') void webview.postMessage({ kind: 'here' });
        if (asked.kind !== 'ready') return;
        show().catch(({ message }: Error) => webview.postMessage({ kind: 'failed', name, message }));
      });
      // The reader of the view goes on no longer than this extension; the view says so.
      const forget = onLeave(() => void webview.postMessage({ kind: 'ended', why: EXTENSION_ENDED }));
      panel.onDidDispose(forget);
      onShown(uri);
      panel.onDidChangeViewState(() => panel.active && onShown(uri));
    },
  };
}

/** The channel to the reader of a view, which ends when its panel is closed. */
function channelOf(panel: vscode.WebviewPanel): ReaderChannel {
  const { webview } = panel;
  let closed = false;
  panel.onDidDispose(() => {
    closed = true;
  });
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
    onEnd(listener) {
      const end = (): void => listener('the editor was closed');
      if (closed) end();
      const disposed = closed ? undefined : panel.onDidDispose(end);
      return () => disposed?.dispose();
    },
  };
}

/** Returns the name of a file, or the address of a document that is opened by an address. */
export function nameOf(uri: vscode.Uri): string {
  return uri.path.split('/').pop() ?? '';
}

function pageOf(webview: vscode.Webview, media: vscode.Uri): string {
  const own = webview.cspSource;
  const nonce = crypto.randomUUID();
  const policy = [
    "default-src 'none'",
    `script-src ${own} 'nonce-${nonce}' 'sha256-${FRAME_SHA256}' 'wasm-unsafe-eval'`,
    'worker-src blob:',
    `style-src ${own} 'unsafe-inline'`,
    `img-src ${own} data: blob:`,
    'font-src data:',
    `connect-src ${own}`,
  ].join('; ');
  const element = webview.asWebviewUri(vscode.Uri.joinPath(media, 'xylem-viewer.js'));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style>
html, body { height: 100%; margin: 0; padding: 0; }
xylem-viewer { display: block; height: 100vh; }
</style>
<link rel="modulepreload" href="${element}">
<script type="module" nonce="${nonce}">${VIEW_SCRIPT}</script>
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
