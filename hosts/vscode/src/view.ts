// In the webview: the element, whose reader is in the extension.

import type { ReaderChannel, XylemViewer } from '../../../web/element/element-api';
import { takeColours } from '../../theme';

/** SHA-256 of frame.js; the build puts it here. */
declare const FRAME_SHA256: string;

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** Messages from the extension. */
type Told =
  | { kind: 'served'; name: string; state?: object }
  | { kind: 'bytes'; name: string; state?: object; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'state'; state: object }
  | { kind: 'failed'; name: string; message: string }
  | { kind: 'ended'; why: string }
  | { kind: 'here' }
  | { kind: 'reader'; message: unknown; buffers: Uint8Array[] };

const host = acquireVsCodeApi();
/** The address of the element. Files that it may need lie beside it. This script is part of the page. */
const place = (document.querySelector('link[rel=modulepreload]') as HTMLLinkElement).href;
/** The element, which is loaded while the extension starts its reader. */
const element: Promise<{ giveModules(given: (file: string) => Promise<ArrayBuffer | string>): void }> =
  import(/* @vite-ignore */ place);

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

/** ms between checks whether the extension runs, and the number of checks in a row that it may leave unanswered. */
const LOOK_MS = 5000;
const PATIENCE = 5;

/** Checks whether the extension host runs while the view is seen. A host that crashes or restarts sends no message. */
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

/** A file of the extension. Throws Error. */
async function load(path: string): Promise<Response> {
  const answer = await fetch(new URL(path, place));
  if (!answer.ok) throw new Error(`${path} of the extension could not be read (status ${answer.status}).`);
  return answer;
}

async function open(told: Extract<Told, { name: string }>): Promise<void> {
  const { giveModules } = await element;
  // Fonts are scripts, which the program beside the view has, too.
  giveModules(async (file) => {
    const answer = await load(`../engine/${file}`);
    return file.endsWith('.js') ? answer.text() : answer.arrayBuffer();
  });
  if (told.kind === 'failed') throw new Error(`${told.name}: ${told.message}`);
  const viewer = document.createElement('xylem-viewer') as XylemViewer;
  takeColours(viewer);
  followTheme(viewer);
  viewer.addEventListener('xylem-state', ({ detail: { src: _src, ...state } }) => host.setState(state));
  if (told.kind === 'served') {
    viewer.privacy = 'The machine of the workspace reads the file';
    viewer.reader = channel;
  }
  viewer.jsroot = { script: async () => (await load('frame.js')).text(), sha256: FRAME_SHA256 };
  document.body.append(viewer);
  const source = told.kind === 'served' ? told.name : new File([told.bytes], told.name);
  // The element itself reports a file that cannot be opened.
  viewer.open(source, told.state ?? host.getState() ?? {}).catch(() => {});
  hear((next) => next.kind === 'state' && void viewer.restore(next.state).catch(() => {}));
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
