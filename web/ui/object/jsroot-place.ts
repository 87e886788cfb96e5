/** The way to show an object that has views in three dimensions. */
export const SOLID_WAY = 'jsroot';

/** The script of the frame itself, for hosts whose frames cannot load a document by its address. */
export interface JsrootScript {
  /** The text of `jsroot/frame.js`, or a function that loads it when an object is first drawn. */
  script: string | (() => Promise<string>);
  /**
   * SHA-256 of that text, in base64. The frame runs no other script, and a policy of the page has to list it in
   * `script-src`.
   */
  sha256: string;
}

/** A document that a frame loads by its address. */
export interface JsrootFrame {
  url: string;
  /**
   * Checksum of that document's script, as listed in the policy of the page, so that the script may be in the
   * document itself. Without it, the script is loaded by its address.
   */
  scriptSource?: string | undefined;
}

/** Returns the frame for a place. An address may be relative to the page. */
export function frameAt(place: string | JsrootScript | JsrootFrame): JsrootScript | JsrootFrame {
  return typeof place === 'string' ? { url: new URL(place, document.baseURI).href } : place;
}
