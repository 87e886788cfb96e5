/** The script of the frame itself, for hosts in which a frame cannot load a document by its address. */
export interface JsrootScript {
  /** The text of `jsroot/frame.js`, or what loads it when an object is first drawn. */
  script: string | (() => Promise<string>);
  /** SHA-256 of that text, as base64: the frame runs no other script, and a policy of the page names it in `script-src`. */
  sha256: string;
}

/** A document that a frame loads by its address. */
export interface JsrootFrame {
  url: string;
  /**
   * The checksum of that document's script, as the policy of the page names it, which may then be in the
   * document itself; without it, the script is loaded by its address.
   */
  scriptSource?: string | undefined;
}

/** An address may be relative to the page. */
export function frameAt(place: string | JsrootScript | JsrootFrame): JsrootScript | JsrootFrame {
  return typeof place === 'string' ? { url: new URL(place, document.baseURI).href } : place;
}
