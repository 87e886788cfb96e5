/** A tag as XMLSerializer writes it: an end, the name, the attributes, an empty element. */
const TAG = /<(\/?)([\w:.-]+)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>/g;
const ATTRIBUTE = /\s([\w:.-]+)="([^"]*)"/g;
/** Elements that run, load or change something, or that hold elements of HTML; they go with all that they hold. */
const LEFT_OUT = /^(script|foreignobject|iframe|object|embed|handler|listener|set|animate\w*|discard)$/i;
const PICTURE = /^data:image\/(png|jpe?g|gif|webp);base64,/i;
const SPACES = ['http://www.w3.org/2000/svg', 'http://www.w3.org/1999/xlink'];

/**
 * A picture that JSROOT drew, as it may be saved and shown anywhere: without links, scripts, and addresses of other files.
 * JSROOT makes links of the texts of a file. Empty for what is not a picture.
 */
export function plainSvg(text: string): string {
  let plain = '';
  let last = 0;
  /** Number of open elements that are left out. */
  let hidden = 0;
  for (const { index, 0: tag, 1: end, 2: name = '', 3: attributes = '', 4: empty } of text.matchAll(TAG)) {
    const before = text.slice(last, index);
    last = index + tag.length;
    // Comments, declarations, and what is not written so.
    if (before.includes('<')) return '';
    if (hidden === 0) plain += before;
    const local = name.slice(name.indexOf(':') + 1);
    if (LEFT_OUT.test(local)) {
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
    if (/^on/i.test(local)) continue;
    if (/^(href|src|base)$/i.test(local) && !value.startsWith('#') && !PICTURE.test(value)) continue;
    if (/^xmlns(:|$)/i.test(name) && !SPACES.includes(value)) continue;
    own += ` ${name}="${value}"`;
  }
  return own;
}

/** The same for a file that JSROOT saves, as a data address; others stay as they are. */
export function plainFile(address: string): string {
  const [head, kind = ''] = /^data:image\/svg\+xml([^,]*),/i.exec(address) ?? [];
  if (head === undefined) return address;
  const body = address.slice(head.length);
  const text = /;base64/i.test(kind)
    ? new TextDecoder().decode(Uint8Array.from(atob(body), (one) => one.charCodeAt(0)))
    : decodeURIComponent(body);
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(plainSvg(text))}`;
}
