import type { XylemViewer } from '../../../web/element/one-file';
import type { Channel } from './channel';

/** ms without another plot before its picture is sent. */
const REST_MS = 700;
/** Pixels of a picture for each pixel of the plot, so that it is sharp on fine screens. */
const SCALE = 2;

/**
 * Keeps a picture of the last plot in the notebook: an output after the one of the widget, which is hidden while the
 * widget is shown.
 */
export function createPicture(
  viewer: XylemViewer,
  el: HTMLElement,
  channel: Channel,
): { renew(): void; end(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hidden: HTMLElement | undefined;
  const hide = () => {
    const next = el.closest('.jp-OutputArea-child')?.nextElementSibling;
    if (!(next instanceof HTMLElement) || !isPicture(next)) return;
    hidden = next;
    next.style.display = 'none';
  };
  const send = async () => {
    const png = await pngOf(viewer.toSVG());
    hide();
    channel.tell({ kind: 'picture' }, [png]);
  };
  // The output is there a moment after the widget, and the picture in it is replaced.
  const watch = new MutationObserver(hide);
  const start = setTimeout(() => {
    hide();
    const area = el.closest('.jp-OutputArea');
    if (area !== null) watch.observe(area, { childList: true });
  });
  return {
    renew() {
      clearTimeout(timer);
      // Some drawings have no picture.
      timer = setTimeout(() => void send().catch(() => {}), REST_MS);
    },
    end() {
      clearTimeout(start);
      clearTimeout(timer);
      watch.disconnect();
      if (hidden !== undefined) hidden.style.display = '';
    },
  };
}

/** Whether an output is the one that `View` makes: only a picture, or no text. */
function isPicture(output: HTMLElement): boolean {
  if (output.querySelector('xylem-viewer, .jupyter-widgets, iframe, table') !== null) return false;
  const text = output.querySelector('.jp-OutputArea-output')?.textContent?.trim() ?? '';
  return text === '' && output.querySelectorAll('img').length <= 1;
}

/** Returns an SVG as PNG, on white. */
async function pngOf(svg: string): Promise<ArrayBuffer> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * SCALE;
    canvas.height = image.naturalHeight * SCALE;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('This browser draws no pictures.');
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
    if (blob === null) throw new Error('This browser gives no picture.');
    return await blob.arrayBuffer();
  } finally {
    URL.revokeObjectURL(address);
  }
}
