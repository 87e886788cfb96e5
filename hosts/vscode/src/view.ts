// In the webview: the element, whose bytes come from the extension.
import type { XylemViewer } from '../../../web/element/element-api';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** Messages of the extension. */
type Told =
  | { kind: 'file'; name: string; size: number; validator: string }
  | { kind: 'bytes'; id: number; bytes?: Uint8Array; error?: string };

const host = acquireVsCodeApi();
const waiting = new Map<number, (told: Told & { kind: 'bytes' }) => void>();
let next = 0;
const viewer = document.querySelector('xylem-viewer') as XylemViewer;

/** Counted for the tests of hosts. */
const channel = { reads: 0, bytes: 0 };
Object.assign(globalThis, { xylemChannel: channel });

const read = (offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const id = next++;
    signal?.addEventListener('abort', () => {
      waiting.delete(id);
      reject(signal.reason);
    });
    waiting.set(id, ({ bytes, error }) => (bytes ? resolve(bytes) : reject(new Error(error))));
    host.postMessage({ kind: 'read', id, offset, length });
  });

addEventListener('message', ({ data }: MessageEvent<Told>) => {
  if (data.kind === 'bytes') {
    channel.reads++;
    channel.bytes += data.bytes?.length ?? 0;
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
    return;
  }
  if (data.kind !== 'file') return;
  const { name, size, validator } = data;
  // Eight reads of 1 MB at once are the fastest over this channel.
  const source = { name, concurrency: 8, info: () => ({ size, validator }), read };
  viewer.open(source, host.getState() ?? {}).catch(() => {});
});
viewer.addEventListener('xylem-state', ({ detail }) => host.setState(detail));

/** The element follows the colours of the editor. */
function colours(): void {
  const { classList } = document.body;
  const dark = classList.contains('vscode-dark') || /dark|high-contrast(?!-light)/.test(classList.toString());
  viewer.theme = dark ? 'dark' : 'light';
}
new MutationObserver(colours).observe(document.body, { attributeFilter: ['class'] });
colours();
host.postMessage({ kind: 'ready' });
