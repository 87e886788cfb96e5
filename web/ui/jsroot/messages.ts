/** What the page tells the frame: an object in ROOT's JSON, to be drawn with JSROOT's own option. */
export interface DrawMessage {
  xylem: 'draw';
  json: string;
  option: string;
  dark: boolean;
}

/** Other colours, for what is drawn. */
export interface ThemeMessage {
  xylem: 'theme';
  dark: boolean;
}

/** What the frame tells the page: it can be asked; it has drawn; it could not. */
export type FrameMessage = { xylem: 'ready' } | { xylem: 'drawn' } | { xylem: 'failed'; message: string };

/** What came from a frame, which may be anything, as one of its messages. */
export function asFrameMessage(data: unknown): FrameMessage | undefined {
  if (typeof data !== 'object' || data === null || !('xylem' in data)) return undefined;
  if (data.xylem === 'ready' || data.xylem === 'drawn') return { xylem: data.xylem };
  if (data.xylem !== 'failed') return undefined;
  const message = 'message' in data && typeof data.message === 'string' ? data.message : '';
  return { xylem: 'failed', message: message.slice(0, 500) };
}
