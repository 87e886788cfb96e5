import type { SourceSpec } from '../../api/api';
import { abortError, argumentError, type ErrorRecord, toXylemError, XylemError } from '../../base/errors';
import { isPageField, type PageState, pageFields, readableUrl } from '../state/address/url-state';
import type { ViewerStore } from '../state/viewer-state';
import type { ViewerEvents } from './viewer-event-types';
import { watchViewer } from './viewer-events';

/** Requests from the page around an iframe. `id` is returned with the answer. */
export type FrameRequest = { xylem: 1; id?: number | string | undefined } & (
  | { type: 'open'; url?: string | undefined; file?: Blob | undefined; state?: PageState | undefined }
  | { type: 'show'; state: PageState }
  | { type: 'theme'; theme: string }
  | { type: 'cancel' }
  | { type: 'save' }
  | { type: 'svg' }
);

/** Messages of the iframe: that it is ready, answers to requests, and events. */
export type FrameMessage =
  | { xylem: 1; type: 'ready' }
  | { xylem: 1; type: 'answer'; id: number | string; result?: unknown; error?: ErrorRecord }
  | { xylem: 1; type: keyof ViewerEvents; detail: unknown };

export interface FrameOptions {
  /** The surrounding page, and the window of this page. */
  parent: Pick<Window, 'postMessage'>;
  window: Pick<Window, 'addEventListener' | 'removeEventListener'>;
  /** The only origin with which messages are exchanged. */
  origin: string;
}

/**
 * Exchanges messages with the page around an iframe: only with the parent window, and only if it has the agreed
 * origin. Other messages are ignored. Returns a function that stops this.
 */
export function talkToParent(store: ViewerStore, { parent, window, origin }: FrameOptions): () => void {
  const post = (message: FrameMessage): void => parent.postMessage(message, origin);

  async function answer(request: FrameRequest): Promise<unknown> {
    switch (request.type) {
      case 'open':
        return open(store, request);
      case 'show':
        await store.navigation.show(fieldsOf(request.state));
        return undefined;
      case 'theme': {
        const { theme } = request;
        store.theme.value = theme === 'light' || theme === 'dark' ? theme : 'system';
        return undefined;
      }
      case 'cancel':
        store.activities.cancelAll();
        return undefined;
      case 'save':
        return { ...store.navigation.pageState.peek(), ...store.navigation.shownState.peek() };
      case 'svg':
        return (await import('./viewer-svg')).viewerSvg(store);
      default:
        throw argumentError('There is no such message.', 'Send open, show, theme, cancel, save or svg.');
    }
  }

  const listen = (event: MessageEvent<unknown>): void => {
    if (event.source !== parent || event.origin !== origin || !isRequest(event.data)) return;
    const { id } = event.data;
    answer(event.data).then(
      (result) => id !== undefined && post({ xylem: 1, type: 'answer', id, result }),
      (thrown: unknown) => {
        if (id !== undefined) post({ xylem: 1, type: 'answer', id, error: toXylemError(thrown).toRecord() });
      },
    );
  };
  window.addEventListener('message', listen as EventListener);
  const unwatch = watchViewer(store, (type, detail) => post({ xylem: 1, type, detail }));
  post({ xylem: 1, type: 'ready' });
  return () => {
    unwatch();
    window.removeEventListener('message', listen as EventListener);
  };
}

async function open(
  store: ViewerStore,
  { url, file, state }: FrameRequest & { type: 'open' },
): Promise<unknown> {
  if (!(file instanceof Blob) && typeof url !== 'string') {
    throw argumentError(
      'The message "open" has no address.',
      'Give it as the text "url", or a Blob as "file".',
    );
  }
  const source: SourceSpec =
    file instanceof Blob
      ? { kind: 'blob', blob: file, name: file instanceof File ? file.name : 'file' }
      : { kind: 'url', url: readableUrl(url ?? '', document.baseURI) };
  await store.session.open(source, fieldsOf(state));
  const opened = store.session.file.peek();
  if (opened?.source === source) return opened.info;
  const error = store.session.openError.peek();
  // Another file was opened meanwhile, or the user stopped this one.
  if (error === null || opened !== null || store.session.opening.peek() !== source) throw abortError();
  throw new XylemError(error);
}

/** Returns the valid fields of a state, as in an address. */
function fieldsOf(state: unknown): PageState {
  const fields: PageState = {};
  if (typeof state !== 'object' || state === null) return fields;
  for (const field of pageFields) {
    const value: unknown = Reflect.get(state, field);
    if (field !== 'url' && isPageField(field, value)) fields[field] = value;
  }
  return fields;
}

function isRequest(data: unknown): data is FrameRequest {
  return typeof data === 'object' && data !== null && 'xylem' in data && data.xylem === 1 && 'type' in data;
}

/**
 * Returns the origin with which this page may exchange messages when it is embedded: the one in the address
 * (`parent=`), if the page's own list allows it ("*" allows any). The page's own origin is always allowed, and is the
 * default.
 */
export function allowedParent(asked: string | null, own: string, list: string): string | undefined {
  if (asked === null || asked === own) return own;
  let origin: string;
  try {
    origin = new URL(asked).origin;
  } catch {
    return undefined;
  }
  if (origin === 'null' || origin !== asked) return undefined;
  const allowed = list.split(/[\s,]+/);
  return allowed.includes('*') || allowed.includes(origin) ? origin : undefined;
}
