import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { PlainObject } from '../../../api/api';
import { unsupported } from '../../../base/data-errors';
import { toXylemError } from '../../../base/errors';
import { bufferJson } from '../../../export/buffer-json';
import { isCanvasClass } from '../../../plot/stored/classes';
import type { FunctionSamples } from '../../../plot/stored/functions';
import { frameAt, type JsrootFrame, type JsrootScript } from '../../../ui/object/jsroot-place';
import { useSamples } from '../../../ui/object/samples';
import type { Places } from '../../../ui/part';
import { showPlot } from '../../../ui/plot/shown-plot';
import { saveDataUrl, savePng, saveText } from '../../../ui/save/save-blob';
import { SaveButtons } from '../../../ui/save/save-buttons';
import { type FrameTalk, talkWithFrame } from './frame-talk';
import { jsrootForm } from './jsroot-form';
import type { FrameMessage } from './messages';
import { plainFile, plainSvg } from './plain-svg';

/**
 * Time in ms after loading within which a frame has to identify itself. After the first failure another way is tried.
 */
const PATIENCE_MS = 3000;
const FIRST_PATIENCE_MS = 1000;
/** Time in ms within which a picture has to arrive. */
const PICTURE_PATIENCE_MS = 20_000;

/** Whether frames of this browser cannot load the document by its address: see frame-text.ts. */
let onlyAsText = false;

interface JsrootViewProps {
  object: PlainObject;
  /** Values of the functions within it. */
  samples: FunctionSamples;
  /** Option for a view in three dimensions; empty for that of the object. */
  how: string;
  theme: 'light' | 'dark';
  /** Name of a saved picture. */
  name: string;
  frame: JsrootFrame | JsrootScript;
  /** Receives the picture of each drawing. */
  onPicture?: ((svg: string) => void) | undefined;
}

type State =
  | { kind: 'loading' | 'drawing' | 'drawn' | 'missing' | 'left' }
  | { kind: 'failed'; message: string };

/**
 * Shows an object drawn by JSROOT in a frame without an origin, which receives only the object as text. The frame and
 * JSROOT are loaded when this is first shown. In the dark theme light and dark are exchanged, except of canvases, which
 * have their colours for white paper; saved pictures are on that, too.
 */
function JsrootView(props: JsrootViewProps): JSX.Element {
  const { object, samples, how, theme, name, frame, onPicture } = props;
  const host = useRef<HTMLIFrameElement>(null);
  const talk = useRef<FrameTalk | undefined>(undefined);
  const state = useSignal<State>({ kind: 'loading' });
  const address = 'url' in frame ? frame.url : undefined;
  /** Text of the document, if a frame cannot load it by its address. */
  const text = useSignal<string | undefined>(undefined);
  const pictures = useRef<((svg: string) => void)[]>([]);
  const dark = theme === 'dark' && !isCanvasClass(object._typename);
  const form = useMemo(() => jsrootForm(object, samples, how), [object, samples, how]);

  const draw = (): void => {
    try {
      talk.current?.send({
        xylem: 'draw',
        json: bufferJson(form.object),
        option: form.option,
        dark,
      });
      state.value = { kind: 'drawing' };
    } catch (thrown) {
      state.value = { kind: 'failed', message: toXylemError(thrown).message };
    }
  };
  const drawNow = useRef(draw);
  drawNow.current = draw;
  const loadText = async (): Promise<void> => {
    const { frameText } = await loadFrameText();
    const found = await frameText(frame);
    if (found === undefined) state.value = { kind: 'missing' };
    else text.value = found;
  };
  const missing = (): void => {
    if (text.peek() === undefined && address !== undefined) {
      onlyAsText = true;
      void loadText();
    } else {
      // Neither way worked. The network may have been down for a moment.
      onlyAsText = false;
      state.value = { kind: 'missing' };
    }
  };
  const picture = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const wrong = unsupported('JSROOT gives no picture of this drawing.');
      const timer = setTimeout(() => reject(wrong), PICTURE_PATIENCE_MS);
      pictures.current.push((svg) => {
        clearTimeout(timer);
        if (svg === '') reject(wrong);
        else resolve(svg);
      });
      talk.current?.send({ xylem: 'picture' });
    });
  const told = (message: FrameMessage): void => {
    if (message.xylem === 'drawn') {
      state.value = { kind: 'drawn' };
      // A drawing without a picture has none to give.
      if (onPicture !== undefined) picture().then(onPicture, () => undefined);
    } else if (message.xylem === 'failed') state.value = { kind: 'failed', message: message.message };
    else if (message.xylem === 'picture')
      for (const give of pictures.current.splice(0)) give(plainSvg(message.svg));
    else if (message.xylem === 'save') {
      // Only after the user chose it in a menu of the frame.
      if (navigator.userActivation?.isActive !== false) saveDataUrl(message.name, plainFile(message.content));
    }
  };
  useEffect(() => {
    if (onlyAsText || address === undefined) void loadText();
  }, []);

  const there =
    state.value.kind !== 'missing' &&
    state.value.kind !== 'left' &&
    ((!onlyAsText && address !== undefined) || text.value !== undefined);
  useLayoutEffect(() => {
    if (host.current === null) return undefined;
    const own = talkWithFrame(host.current, {
      patienceMs: text.peek() === undefined ? FIRST_PATIENCE_MS : PATIENCE_MS,
      ready: () => drawNow.current(),
      told,
      missing,
      left: () => {
        state.value = { kind: 'left' };
      },
    });
    talk.current = own;
    return () => {
      talk.current = undefined;
      own.close();
    };
  }, [there, text.value]);
  useEffect(() => {
    // The first drawing is made when the frame is ready.
    if (['drawing', 'drawn', 'failed'].includes(state.peek().kind)) draw();
  }, [form, dark]);

  const save = async (as: 'svg' | 'png'): Promise<void> => {
    const svg = await picture();
    if (as === 'png') await savePng(`${name}.png`, svg);
    else saveText(`${name}.svg`, svg, 'image/svg+xml');
  };

  const { kind } = state.value;
  return (
    <div class="jsroot" aria-busy={kind === 'loading' || kind === 'drawing'}>
      {kind === 'missing' && (
        <p class="hint bad" role="alert">
          {address === undefined ? (
            'JSROOT could not be loaded: the program around this viewer did not give its script.'
          ) : (
            <>
              JSROOT could not be loaded from <code>{address}</code>. Its folder <code>jsroot</code> has to
              lie beside the script of this viewer, and the policy of the page has to allow frames from there
              (<code>frame-src</code>).
            </>
          )}
        </p>
      )}
      {kind === 'left' && (
        <p class="hint bad" role="alert">
          What was drawn led to another document, which is not shown.{' '}
          <button
            type="button"
            class="link"
            onClick={() => {
              state.value = { kind: 'loading' };
            }}
          >
            Draw again
          </button>
        </p>
      )}
      {state.value.kind === 'failed' && (
        <p class="hint bad" role="alert">
          JSROOT cannot draw this {object._typename}: {state.value.message}
        </p>
      )}
      {form.left.map(({ name: left, why }) => (
        <p class="hint" key={left}>
          The function {left} is not drawn: {why}
        </p>
      ))}
      {(kind === 'loading' || kind === 'drawing') && <p class="hint">Loading JSROOT…</p>}
      {kind === 'drawn' && <SaveButtons onSave={save} />}
      {there && (
        <iframe
          key={text.value === undefined ? 'address' : 'text'}
          ref={host}
          class={kind === 'failed' ? 'hidden' : dark ? 'dark' : ''}
          sandbox="allow-scripts"
          referrerpolicy="no-referrer"
          {...(text.value === undefined ? { src: address } : { srcdoc: text.value })}
          onLoad={() => talk.current?.loaded()}
          title={`${object._typename} drawn by JSROOT`}
        />
      )}
    </div>
  );
}

/** Rarely needed. */
const loadFrameText = () => import('./frame-text');

/** The object drawn by JSROOT, after the values of its functions were computed. */
export function DrawnByJsroot({ store, object, name, theme }: Places['object']): JSX.Element | null {
  const samples = useSamples(store, object);
  const remove = useRef<(() => void) | null>(null);
  useEffect(() => () => remove.current?.(), [store, object]);
  if (store.jsroot === undefined) return null;
  if (samples === undefined) return <div class="placeholder" aria-busy="true" />;
  // A script may ask for the picture at once. A page has buttons that fetch it.
  const keep = (svg: string) => {
    remove.current = showPlot(store, { of: object, model: undefined, svg });
  };
  return (
    <JsrootView
      {...{ object, samples, name, theme, how: store.plot.look.value.how, frame: frameAt(store.jsroot) }}
      onPicture={store.keepsPictures ? keep : undefined}
    />
  );
}
