// Runs in a frame of its own that has no origin: whatever a file makes JSROOT do, it cannot reach the
// page, its storage or the network. Objects come as text from the page around, and nothing goes back
// but how drawing went.
import { cleanup, draw, parse, resize } from 'jsroot/browser';
import type { DrawMessage, FrameMessage, ThemeMessage } from './messages';

const place = document.getElementById('drawing');

function tell(message: FrameMessage): void {
  // The page may be of any origin; there is nothing secret in this.
  parent.postMessage(message, '*');
}

function explain(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return /unsafe-eval|Content Security Policy/i.test(text)
    ? 'its formula would have to be run as a program, which is not allowed here.'
    : text;
}

async function show({ json, option }: DrawMessage): Promise<void> {
  if (place === null) return;
  cleanup(place);
  const painter = await draw(place, parse(json), option);
  if (painter === null || painter === undefined || place.childElementCount === 0) {
    throw new Error('it has no drawing for this class.');
  }
}

addEventListener('message', ({ source, data }: MessageEvent<DrawMessage | ThemeMessage>) => {
  if (source !== parent) return;
  document.documentElement.classList.toggle('dark', data.dark);
  if (data.xylem !== 'draw') return;
  show(data).then(
    () => tell({ xylem: 'drawn' }),
    (thrown: unknown) => tell({ xylem: 'failed', message: explain(thrown) }),
  );
});

addEventListener('resize', () => {
  if (place !== null) resize(place);
});

tell({ xylem: 'ready' });
