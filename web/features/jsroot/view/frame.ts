// Runs in a frame without an origin, so nothing that a file makes JSROOT do can reach the page, its storage or the
// network. Objects arrive from the page as text. The frame returns the result of drawing, and pictures.
import { cleanup, draw, gStyle, type Painter, parse, resize, setSaveFile, settings } from 'jsroot/browser';
import { keepPlace, trustMarkup } from './frame-guards';
import type { DrawMessage, FrameMessage, PageMessage, PortMessage } from './messages';

keepPlace();
trustMarkup();

const place = document.getElementById('drawing');
let painter: Painter | null | undefined;

// JSROOT's camera button would save by itself, which a frame without an origin must not do. The page has buttons for
// that.
settings.ToolBar = false;
// The statistics box shows quality, parameters and errors of a fit (TStyle::SetOptFit).
gStyle.fOptFit = 111;

/** Returns a message for a failure, because the messages of JSROOT's own code do not help users. */
function explain(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return thrown instanceof TypeError || /is not (?:a function|defined|iterable)|undefined/.test(text)
    ? 'a part of it is not as JSROOT expects.'
    : text;
}

async function show({ json, option, dark }: DrawMessage): Promise<void> {
  if (place === null) return;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  cleanup(place);
  painter = await draw(place, parse(json), option);
  if (painter === null || painter === undefined || place.childElementCount === 0) {
    throw new Error('it has no drawing for this class.');
  }
}

/** Returns the drawing as an SVG document, with a three-dimensional picture embedded. Empty if there is none. */
async function picture(): Promise<string> {
  const canvas = painter?.getCanvPainter?.();
  const svg = await canvas?.produceImage?.(true, 'svg');
  if (svg) return svg;
  const address = painter?.createSnapshot?.('asis');
  if (!address || place === null) return '';
  const { clientWidth: width, clientHeight: height } = place;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image href="${address}" width="${width}" height="${height}"/></svg>`;
}

/** Answers the page over its channel. */
function listen(port: MessagePort): void {
  const tell = (message: FrameMessage) => port.postMessage(message);
  setSaveFile((name, content) => tell({ xylem: 'save', name, content }));
  port.onmessage = ({ data }: MessageEvent<PageMessage>) => {
    if (data.xylem === 'picture') {
      picture().then(
        (svg) => tell({ xylem: 'picture', svg }),
        () => tell({ xylem: 'picture', svg: '' }),
      );
      return;
    }
    show(data).then(
      () => tell({ xylem: 'drawn' }),
      (thrown: unknown) => tell({ xylem: 'failed', message: explain(thrown) }),
    );
  };
}

addEventListener('message', function start({ source, data, ports }: MessageEvent<PortMessage>) {
  const [port] = ports;
  if (source !== parent || data.xylem !== 'port' || port === undefined) return;
  removeEventListener('message', start);
  listen(port);
});

addEventListener('resize', () => {
  if (place !== null) resize(place);
});

// The page may have any origin. This message has no secrets.
parent.postMessage({ xylem: 'ready' } satisfies FrameMessage, '*');
