import { unsupported } from '../../base/data-errors';
import { XylemError } from '../../base/errors';
import type { Film } from '../../plot/film/film';
import { filmPainter } from '../../plot/film/film-painter';

const TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];
const SIZE = { width: 1280, height: 720 };
const FRAMES = 30;
/** The last picture stays for this long, ms. */
const HOLD_MS = 700;

/** How this browser records WebM; undefined where it cannot. */
export function webmType(): string | undefined {
  if (typeof MediaRecorder === 'undefined' || !('captureStream' in HTMLCanvasElement.prototype))
    return undefined;
  return TYPES.find((type) => MediaRecorder.isTypeSupported(type));
}

interface RecordOptions {
  dark: boolean;
  /** Length of the video, seconds. */
  seconds: number;
  signal: AbortSignal;
  onProgress(part: number): void;
}

/**
 * Plays a film once into a video of 1280 × 720 pixels, in as much time as it takes. Rejects with UNSUPPORTED, ABORTED, and IO
 * when the browser's recorder fails.
 */
export async function recordFilm(
  film: Film,
  { dark, seconds, signal, onProgress }: RecordOptions,
): Promise<Blob> {
  const mimeType = webmType();
  if (mimeType === undefined) throw unsupported('This browser records no WebM. Save it as HTML.');
  const canvas = document.createElement('canvas');
  const painter = filmPainter(film, { ...SIZE, dark, ratio: 1 });
  painter.paint(canvas, 0);
  const stream = canvas.captureStream(FRAMES);
  const recorder = new MediaRecorder(stream, { mimeType, videoBitsPerSecond: 6e6 });
  const pieces: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
  try {
    return await new Promise<Blob>((resolve, reject) => {
      recorder.addEventListener('stop', () => resolve(new Blob(pieces, { type: 'video/webm' })));
      recorder.addEventListener('error', () =>
        reject(new XylemError({ code: 'IO', message: 'The browser could not record the video.' })),
      );
      signal.addEventListener('abort', () =>
        reject(new XylemError({ code: 'ABORTED', message: 'The video was not recorded to its end.' })),
      );
      recorder.start();
      const begun = performance.now();
      // A timer, because frames of a hidden page are not drawn.
      const timer = setInterval(() => {
        const part = (performance.now() - begun) / 1000 / seconds;
        if (signal.aborted || part > 1 + HOLD_MS / 1000 / seconds) {
          clearInterval(timer);
          if (recorder.state !== 'inactive') recorder.stop();
          return;
        }
        painter.paint(canvas, Math.min(1, part) * film.end);
        onProgress(Math.min(1, part));
      }, 1000 / FRAMES);
    });
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}
