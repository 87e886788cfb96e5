import { trustedHtml } from '../../../base/trusted-types';
import type { JsrootFrame, JsrootScript } from '../../../ui/object/jsroot-place';
import frame from './frame.html?raw';

/**
 * Returns the document of the frame as text, for frames that cannot load it by its address. This is so in WebKit,
 * where 'self' does not match the script of a document without an origin, and without a network, because service
 * workers do not serve such frames. Undefined if the script cannot be loaded.
 */
export async function frameText(place: JsrootFrame | JsrootScript): Promise<string | undefined> {
  if ('script' in place) return givenText(place);
  const { url, scriptSource } = place;
  const address = new URL('frame.js', url).href;
  if (scriptSource === undefined) {
    // The policy of the page allows scripts from the folder of the viewer.
    const [plain = ''] = address.split(/[?#]/);
    const source = plain.replaceAll(';', '%3B').replaceAll(',', '%2C');
    return withScript(source, `<script src="${address}"></script>`);
  }
  try {
    const response = await fetch(address);
    return response.ok ? withScript(scriptSource, `<script>${await response.text()}</script>`) : undefined;
  } catch {
    return undefined;
  }
}

async function givenText({ script, sha256 }: JsrootScript): Promise<string | undefined> {
  try {
    const text = typeof script === 'string' ? script : await script();
    return withScript(`'sha256-${sha256.replace(/[^\w+/=-]/g, '')}'`, `<script>${text}</script>`);
  } catch {
    return undefined;
  }
}

function withScript(source: string, script: string): string {
  return trustedHtml(
    frame
      .replace("script-src 'self'", () => `script-src ${source}`)
      .replace('<script src="frame.js"></script>', () => script),
  );
}
