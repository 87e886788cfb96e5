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
  | { kind: 'failed'; name: string; message: string }
  | { kind: 'ended'; why: string }
  | { kind: 'here' }
  | { kind: 'reader'; message: unknown; buffers: Uint8Array[] };

const host = acquireVsCodeApi();
/** The element, which is loaded while the extension starts its reader. */
const element: Promise<{ giveWriter(given: () => Promise<string>): void }> = import(
  /* @vite-ignore */ beside('xylem-viewer.one.js')
);

/** Counted for the tests of hosts. */
const crossed = { messages: 0, bytes: 0 };
Object.assign(globalThis, { xylemChannel: crossed });

const channel: ReaderChannel = {
  post(message, buffers) {
    host.postMessage({ kind: 'reader', message, buffers: buffers.map((buffer) => new Uint8Array(buffer)) });
  },
  onMessage: (listener) =>
    hear((told) => {
      if (told.kind !== 'reader') return;
      const { message, buffers } = told;
      crossed.messages++;
      crossed.bytes += buffers.reduce((sum, { length }) => sum + length, JSON.stringify(message).length);
      listener(message, buffers);
    }),
  onEnd(listener) {
    const stops = [hear((told) => told.kind === 'ended' && listener(told.why)), watch(listener)];
    return () => {
      for (const stop of stops) stop();
    };
  },
};

/** ms between looks whether the extension is there, and the number of looks in a row that it may leave unanswered. */
const LOOK_MS = 5000;
const PATIENCE = 5;

/** An extension host that crashes, or is started again, tells its views nothing: they look for it while they are seen. */
function watch(gone: (why: string) => void): () => void {
  let unanswered = 0;
  const stopHearing = hear(() => {
    unanswered = 0;
  });
  const timer = setInterval(() => {
    if (document.hidden) return;
    if (unanswered++ < PATIENCE) host.postMessage({ kind: 'look' });
    else {
      stop();
      gone('the extension host does not answer any more. Close this editor, and open the file again');
    }
  }, LOOK_MS);
  const stop = (): void => {
    clearInterval(timer);
    stopHearing();
  };
  return stop;
}

function hear(listener: (told: Told) => void): () => void {
  const heard = ({ data }: MessageEvent<Told>): void => listener(data);
  addEventListener('message', heard);
  return () => removeEventListener('message', heard);
}

/** The address of a file beside this script. */
function beside(name: string): string {
  return new URL(name, import.meta.url).href;
}

/** The module of the writer as the element takes it: the one of the engine, deflated, as text. */
async function writer(): Promise<string> {
  const body = (await fetch(beside('../engine/xylem-write.wasm'))).body as ReadableStream<
    Uint8Array<ArrayBuffer>
  >;
  const deflated = await new Response(body.pipeThrough(new CompressionStream('deflate-raw'))).blob();
  const read = new FileReader();
  const text = new Promise<string>((done, fail) => {
    read.onload = () => done(String(read.result));
    read.onerror = () => fail(read.error);
  });
  read.readAsDataURL(deflated);
  return (await text).replace(/^.*?,/, '');
}

async function open(told: Extract<Told, { name: string }>): Promise<void> {
  const { giveWriter } = await element;
  if (told.kind === 'failed') throw new Error(`${told.name}: ${told.message}`);
  const viewer = document.createElement('xylem-viewer') as XylemViewer;
  takeColours(viewer);
  followTheme(viewer);
  viewer.addEventListener('xylem-state', ({ detail: { src: _src, ...state } }) => host.setState(state));
  if (told.kind === 'served') {
    viewer.privacy = 'The machine of the workspace reads the file';
    viewer.reader = channel;
  } else giveWriter(writer);
  document.body.append(viewer);
  const source = told.kind === 'served' ? told.name : new File([told.bytes], told.name);
  // It says itself what cannot be opened.
  viewer.open(source, host.getState() ?? {}).catch(() => {});
}

function fail({ message }: Error): void {
  const text = document.createElement('p');
  text.setAttribute('role', 'alert');
  text.style.margin = '1rem';
  text.textContent = message;
  document.body.replaceChildren(text);
}

/** The element follows the theme of the editor. */
function followTheme(viewer: XylemViewer): void {
  const follow = (): void => {
    const { classList } = document.body;
    const dark = classList.contains('vscode-dark') || /high-contrast(?!-light)/.test(classList.toString());
    viewer.theme = dark ? 'dark' : 'light';
  };
  new MutationObserver(follow).observe(document.body, { attributeFilter: ['class'] });
  follow();
}

const stop = hear((told) => {
  if (!('name' in told)) return;
  stop();
  open(told).catch(fail);
});
element.catch(fail);
host.postMessage({ kind: 'ready' });
