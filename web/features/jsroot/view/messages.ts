// The page and the frame with JSROOT exchange messages over a separate channel. If the frame shows another document,
// that document does not receive the objects.

/** Sent to the frame's window once, with a MessagePort; all further messages go over it. */
export interface PortMessage {
  xylem: 'port';
}

/** Message of the page to the frame: an object in ROOT's JSON, to be drawn with JSROOT's own option, and the theme of the page. */
export interface DrawMessage {
  xylem: 'draw';
  json: string;
  option: string;
  dark: boolean;
}

export type PageMessage = DrawMessage | { xylem: 'picture' };

/**
 * Messages of the frame to the page: it is ready; it has drawn; drawing failed; a requested picture; a file to save
 * that the user chose in a menu of JSROOT.
 */
export type FrameMessage =
  | { xylem: 'ready' }
  | { xylem: 'drawn' }
  | { xylem: 'failed'; message: string }
  | { xylem: 'picture'; svg: string }
  | { xylem: 'save'; name: string; content: string };

/** Maximum size of a picture from a frame. */
const MAX_BYTES = 50_000_000;

/** Checks data from a frame, which may be any value. Returns it as a message, or undefined. */
export function asFrameMessage(data: unknown): FrameMessage | undefined {
  if (typeof data !== 'object' || data === null || !('xylem' in data)) return undefined;
  const { xylem } = data;
  const text = (name: string, most: number): string => {
    const value: unknown = Reflect.get(data, name);
    return typeof value === 'string' ? value.slice(0, most) : '';
  };
  if (xylem === 'ready' || xylem === 'drawn') return { xylem };
  if (xylem === 'failed') return { xylem, message: text('message', 500) };
  if (xylem === 'picture') return { xylem, svg: text('svg', MAX_BYTES) };
  if (xylem === 'save') return { xylem, name: text('name', 200), content: text('content', MAX_BYTES) };
  return undefined;
}
