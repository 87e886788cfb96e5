import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { toXylemError } from '../../base/errors';
import { bufferJson } from '../../export/buffer-json';
import type { PlainObject } from '../../file/api';
import { asFrameMessage, type DrawMessage, type ThemeMessage } from './messages';

/** ms after a frame is loaded in which it has to say that it is ours. */
const patience = 3000;

interface JsrootViewProps {
  object: PlainObject;
  /** Address of the frame's page. */
  frame: string;
  theme: 'light' | 'dark';
}

type State = { kind: 'loading' | 'drawing' | 'drawn' | 'missing' } | { kind: 'failed'; message: string };

/**
 * An object drawn by JSROOT in a frame without an origin, which gets the object as text and can reach
 * nothing else. The frame and JSROOT are loaded when this is first shown.
 */
export function JsrootView({ object, frame, theme }: JsrootViewProps): JSX.Element {
  const host = useRef<HTMLIFrameElement>(null);
  const state = useSignal<State>({ kind: 'loading' });
  const dark = useRef(theme === 'dark');
  dark.current = theme === 'dark';
  const missing = useRef<number | undefined>(undefined);
  /** Also what a server or the browser shows in its place is loaded: it says nothing. */
  const onLoad = () => {
    missing.current = window.setTimeout(() => {
      if (state.peek().kind === 'loading') state.value = { kind: 'missing' };
    }, patience);
  };
  const send = (message: DrawMessage | ThemeMessage) =>
    host.current?.contentWindow?.postMessage(message, '*');

  useEffect(() => {
    const listen = ({ source, data }: MessageEvent<unknown>) => {
      if (source === null || source !== host.current?.contentWindow) return;
      const told = asFrameMessage(data);
      if (told?.xylem === 'drawn') state.value = { kind: 'drawn' };
      else if (told?.xylem === 'failed') state.value = { kind: 'failed', message: told.message };
      else if (told?.xylem === 'ready') {
        try {
          send({ xylem: 'draw', json: bufferJson(object), option: '', dark: dark.current });
          state.value = { kind: 'drawing' };
        } catch (thrown) {
          state.value = { kind: 'failed', message: toXylemError(thrown).message };
        }
      }
    };
    addEventListener('message', listen);
    return () => {
      clearTimeout(missing.current);
      removeEventListener('message', listen);
    };
  }, [object]);
  useEffect(() => {
    send({ xylem: 'theme', dark: theme === 'dark' });
  }, [theme]);

  const { kind } = state.value;
  return (
    <div class="jsroot" aria-busy={kind === 'loading' || kind === 'drawing'}>
      {kind === 'missing' && (
        <p class="hint bad" role="alert">
          JSROOT could not be loaded from <code>{frame}</code>. Its folder <code>jsroot</code> has to lie
          beside the script of this viewer, and the policy of the page has to allow frames from there (
          <code>frame-src</code>).
        </p>
      )}
      {state.value.kind === 'failed' && (
        <p class="hint bad" role="alert">
          JSROOT cannot draw this {object._typename}: {state.value.message}
        </p>
      )}
      {(kind === 'loading' || kind === 'drawing') && <p class="hint">Loading JSROOT…</p>}
      {kind !== 'missing' && (
        <iframe
          ref={host}
          class={kind === 'failed' ? 'hidden' : ''}
          sandbox="allow-scripts"
          referrerpolicy="no-referrer"
          src={frame}
          onLoad={onLoad}
          title={`${object._typename} drawn by JSROOT`}
        />
      )}
    </div>
  );
}

/** Classes that xylem has no drawing of its own for and people open files for: these are drawn at once. */
const drawings =
  /^(T(Canvas|Pad|H3[CSIFDL]|H2Poly|Profile3D|HStack|MultiGraph|Graph2D\w*|F[123]|Efficiency|Spline[35]?|Geo\w+|PolyMarker3D|PolyLine3D|ASImage|Legend|PaveText|Latex|Arrow|Line|Box|Ellipse|CutG|GraphPolar|Scatter))$/;

/** Whether a class is a drawing by nature. */
export function isDrawing(className: string): boolean {
  return drawings.test(className);
}
