import { XylemError } from '../../base/errors';

/** A file that is saved piece by piece. It gets its name when it is complete. After `abort` there is no file. */
export interface SaveTarget {
  write(piece: Uint8Array): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}

/** Offers a text to the user as a file to save. */
export function saveText(name: string, text: string, type = 'application/json'): void {
  saveBlob(name, new Blob([text], { type }));
}

/** Data addresses from a frame that may be saved, by type. */
const SAVED_TYPES = /^data:(image\/(?:svg\+xml|png|jpeg|webp)|application\/json)[;,]/;

/** Offers the content of a data: address as a file to save. Other addresses are ignored. */
export function saveDataUrl(name: string, address: string): void {
  const type = SAVED_TYPES.exec(address)?.[1];
  const comma = address.indexOf(',');
  if (type === undefined || comma < 0) return;
  const body = address.slice(comma + 1);
  const bytes = address.slice(0, comma).endsWith(';base64')
    ? Uint8Array.from(atob(body), (character) => character.charCodeAt(0))
    : decodeURIComponent(body);
  saveBlob(name, new Blob([bytes], { type }));
}

/** Pixels of the picture per CSS pixel. */
const ZOOM = 2;

/** Offers an SVG document as a PNG file to save. Rejects with IO if the page may not load pictures. */
export async function savePng(name: string, svg: string): Promise<void> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  try {
    await image.decode();
  } catch (cause) {
    throw new XylemError({
      code: 'IO',
      message: 'The browser cannot draw the picture: the policy of the page has to allow img-src data:.',
      cause,
    });
  }
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * ZOOM;
  canvas.height = image.naturalHeight * ZOOM;
  const ctx = canvas.getContext('2d');
  if (ctx !== null) {
    ctx.fillStyle = '#ffffff';
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    ctx.drawImage(image, 0, 0, canvas.width, canvas.height);
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) throw new XylemError({ code: 'IO', message: 'The browser gives no PNG of the plot.' });
  saveBlob(name, blob);
}

/** Returns a download whose pieces are collected in memory. */
export function gatherTarget(name: string, type: string): SaveTarget {
  let pieces: BlobPart[] = [];
  return {
    async write(piece) {
      // The writer may reuse its memory.
      pieces.push(piece.slice());
    },
    async close() {
      saveBlob(name, new Blob(pieces, { type }));
    },
    async abort() {
      pieces = [];
    },
  };
}

/** The part of the browser's file API that TypeScript does not know. */
interface Picker {
  showSaveFilePicker(options: { suggestedName: string }): Promise<FileSystemFileHandle>;
}

/** Whether the browser can write to a file that the user chooses. */
export function canPickFile(): boolean {
  return 'showSaveFilePicker' in globalThis;
}

/** Asks the user for a file. Rejects with AbortError if none is chosen, and with IO. */
export async function pickFile(name: string): Promise<FileSystemFileHandle> {
  try {
    return await (globalThis as unknown as Picker).showSaveFilePicker({ suggestedName: safeName(name) });
  } catch (thrown) {
    throw notWritable(name, thrown);
  }
}

/**
 * Asks the user for a file and writes to it directly, without collecting in memory. Rejects with AbortError if none
 * is chosen.
 */
export async function pickedTarget(name: string): Promise<SaveTarget> {
  const handle = await pickFile(name);
  try {
    const file = await handle.createWritable();
    return {
      write: (piece) => file.write(piece.slice()),
      close: () => file.close(),
      abort: () => file.abort(),
    };
  } catch (thrown) {
    throw notWritable(name, thrown);
  }
}

function notWritable(name: string, thrown: unknown): unknown {
  if (thrown instanceof Error && thrown.name === 'AbortError') return thrown;
  return new XylemError({ code: 'IO', message: `${name} cannot be written.`, cause: thrown });
}

/** Gives a file to the browser as a download. */
export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = safeName(name);
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Replaces characters that file names must not have by "_". */
function safeName(name: string): string {
  return name.replace(/[^\w.-]+/g, '_').slice(-100);
}
