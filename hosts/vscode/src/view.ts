// In the webview: the element, whose reader is in the extension.
import type { ReaderChannel, XylemViewer } from '../../../web/element/element-api';
import { takeColours } from '../../theme';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** Messages of the extension. */
type Told =
  | { kind: 'served'; name: string }
  | { kind: 'bytes'; name: string; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'reader'; message: unknown; buffers: Uint8Array[] };

const host = acquireVsCodeApi();
const viewer = document.createElement('xylem-viewer') as XylemViewer;
takeColours(viewer);

/** Counted for the tests of hosts. */
const crossed = { messages: 0, bytes: 0 };
Object.assign(globalThis, { xylemChannel: crossed });

const channel: ReaderChannel = {
  post(message, buffers) {
    host.postMessage({ kind: 'reader', message, buffers: buffers.map((buffer) => new Uint8Array(buffer)) });
  },
  onMessage(listener) {
    const hear = ({ data }: MessageEvent<Told>) => {
      if (data.kind !== 'reader') return;
      const { message, buffers } = data;
      crossed.messages++;
      crossed.bytes += buffers.reduce((sum, { length }) => sum + length, JSON.stringify(message).length);
      listener(message, buffers);
    };
    addEventListener('message', hear);
    return () => removeEventListener('message', hear);
  },
};

addEventListener('message', function open({ data }: MessageEvent<Told>) {
  if (data.kind === 'reader') return;
  removeEventListener('message', open);
  const state = host.getState() ?? {};
  if (data.kind === 'served') {
    viewer.privacy = 'The machine of the workspace reads the file';
    viewer.reader = channel;
  }
  const source = data.kind === 'served' ? data.name : new File([data.bytes], data.name);
  document.body.append(viewer);
  viewer.open(source, state).catch(() => {});
});
viewer.addEventListener('xylem-state', ({ detail: { src: _src, ...state } }) => host.setState(state));

/** The element follows the theme of the editor. */
function follow(): void {
  const { classList } = document.body;
  const dark = classList.contains('vscode-dark') || /high-contrast(?!-light)/.test(classList.toString());
  viewer.theme = dark ? 'dark' : 'light';
}
new MutationObserver(follow).observe(document.body, { attributeFilter: ['class'] });
follow();
host.postMessage({ kind: 'ready' });
