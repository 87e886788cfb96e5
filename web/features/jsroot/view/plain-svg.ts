/** A tag as written by XMLSerializer: closing slash, name, attributes, slash of an empty element. */
const TAG = /<(\/?)([\w:.-]+)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>/g;
const ATTRIBUTE = /\s([\w:.-]+)="([^"]*)"/g;
/** Elements that only display something. Others are removed with their contents. */
const SHOWN = new Set(
  (
    'svg g a path rect circle ellipse line polyline polygon text tspan textPath title desc defs symbol use image style ' +
    'clipPath mask marker pattern linearGradient radialGradient stop'
  ).split(' '),
);
/** Styles that load something, or that could hide such a word by escapes. */
const LOADS = /@import|\\|&#|url\s*\((?!\s*(?:&quot;|["'])?(?:#|data:(?:application|font)\/[\w.+-]+[;,]))/i;
const PICTURE = /^data:image\/(png|jpe?g|gif|webp);base64,/i;
const SPACES = ['http://www.w3.org/2000/svg', 'http://www.w3.org/1999/xlink'];

/**
 * Returns a picture by JSROOT in a form that is safe to save and show: without links, scripts and addresses of other
 * files. JSROOT makes links from texts in a file. Empty if it is not a picture.
 */
export function plainSvg(text: string): string {
  let plain = '';
  let last = 0;
  /** Number of open elements that are being left out. */
  let hidden = 0;
  let styling = false;
  for (const { index, 0: tag, 1: end, 2: name = '', 3: attributes = '', 4: empty } of text.matchAll(TAG)) {
    const before = text.slice(last, index);
    last = index + tag.length;
    // Comments, declarations, and text that is not XML.
    if (before.includes('<')) return '';
    const local = name.slice(name.indexOf(':') + 1);
    // The text of a style element must be in one piece.
    if (styling && local !== 'style') return '';
    if (local === 'style') styling = !end && !empty;
    if (hidden === 0 && !(local === 'style' && LOADS.test(before))) plain += before;
    if (!SHOWN.has(local)) {
      if (end) hidden = Math.max(0, hidden - 1);
      else if (!empty) hidden++;
    } else if (hidden === 0)
      plain += `<${end}${local === 'a' ? 'g' : name}${ownAttributes(attributes)}${empty}>`;
  }
  const rest = text.slice(last);
  return /^\s*<svg[\s>]/.test(plain) && hidden === 0 && !rest.includes('<') ? plain + rest : '';
}

function ownAttributes(text: string): string {
  let own = '';
  for (const [, name = '', value = ''] of text.matchAll(ATTRIBUTE)) {
    const local = name.slice(name.indexOf(':') + 1);
    if (/^on/i.test(local) || LOADS.test(value)) continue;
    if (/^(href|src|base)$/i.test(local) && !value.startsWith('#') && !PICTURE.test(value)) continue;
    if (/^xmlns(:|$)/i.test(name) && !SPACES.includes(value)) continue;
    own += ` ${name}="${value}"`;
  }
  return own;
}

/** Does the same for a file that JSROOT saves, given as a data address. Other types are not changed. */
export function plainFile(address: string): string {
  const [head, kind = ''] = /^data:image\/svg\+xml([^,]*),/i.exec(address) ?? [];
  if (head === undefined) return address;
  const body = address.slice(head.length);
  const text = /;base64/i.test(kind)
    ? new TextDecoder().decode(Uint8Array.from(atob(body), (one) => one.charCodeAt(0)))
    : decodeURIComponent(body);
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(plainSvg(text))}`;
}
