// Parameters of an address that give access but do not identify the file: signatures, tokens, expiry times. The list
// is also in docs/cache.md.

/** Parameters that belong together. All of them are removed if the address has the ones that `proof` requires. */
interface Scheme {
  names: RegExp;
  proof: (values: Values) => boolean;
}

/** Values by lower-case name. */
type Values = ReadonlyMap<string, string>;

const DATE = /^\d{4}-\d\d-\d\d/;

const SCHEMES: readonly Scheme[] = [
  // Amazon S3, Ceph, MinIO and others, version 4.
  { names: /^x-amz-/, proof: (values) => values.has('x-amz-signature') },
  // Google Cloud Storage, version 4.
  { names: /^x-goog-/, proof: (values) => values.has('x-goog-signature') },
  // S3 version 2, Google version 2, Alibaba OSS, CloudFront.
  {
    names: /^(signature|expires|policy|awsaccesskeyid|googleaccessid|ossaccesskeyid|key-pair-id)$/,
    proof: (values) =>
      values.has('signature') &&
      ['expires', 'policy', 'awsaccesskeyid', 'googleaccessid', 'ossaccesskeyid', 'key-pair-id'].some(
        (name) => values.has(name),
      ),
  },
  // Azure shared access signatures: their version or their end is a date.
  {
    names: /^(sig|sv|se|st|sp|sr|ss|srt|si|sip|spr|sdd|ses|skoid|sktid|skt|ske|sks|skv|saoid|suoid|scid)$/,
    proof: (values) =>
      values.has('sig') && (DATE.test(values.get('sv') ?? '') || DATE.test(values.get('se') ?? '')),
  },
  // Tencent COS.
  {
    names: /^q-(signature|sign-algorithm|ak|sign-time|key-time|header-list|url-param-list)$/,
    proof: (values) => values.has('q-signature') && values.has('q-sign-algorithm'),
  },
  // XRootD, EOS and dCache: tokens and macaroons.
  { names: /^authz$/, proof: (values) => values.has('authz') },
];

/**
 * Tokens of many servers. On some servers such a token alone identifies the file, so it is only removed if the path
 * ends in ".root".
 */
const TOKENS = /^(token|access_token)$/;
const NAMES_A_FILE = /\.root$/i;

/** Names of other parameters that are secret on many servers. They may also identify the file. */
const SECRETS =
  /token|secret|passw|ztn|^pwd$|signature|^sig$|^sign$|^hmac$|credential|^auth$|^authz$|^jwt$|api[-_]?key|access[-_]?key|private|session|macaroon|bearer|^hdn(ea|ts|ts2)$/;

/** Returns the query of an address ("?…" or "") without the parameters that only give access. */
export function unsignedQuery(url: URL): string {
  const pairs = pairsOf(url);
  const values = new Map(pairs.map(({ name, value }) => [name, value]));
  const schemes = SCHEMES.filter(({ proof }) => proof(values));
  const named = NAMES_A_FILE.test(url.pathname);
  return queryOf(
    pairs.filter(
      ({ name }) => !schemes.some(({ names }) => names.test(name)) && !(named && TOKENS.test(name)),
    ),
  );
}

/**
 * Returns the address without user, password, and everything that may be secret. It may no longer identify a file.
 */
export function publicAddress(url: URL): string {
  const unsigned = new URL(url);
  unsigned.username = '';
  unsigned.password = '';
  unsigned.hash = '';
  unsigned.search = unsignedQuery(url);
  unsigned.search = queryOf(pairsOf(unsigned).filter(({ name }) => !SECRETS.test(name)));
  return unsigned.href;
}

/** Whether a parameter of this name may hold a secret. */
export function isSecretName(name: string): boolean {
  return SECRETS.test(name.toLowerCase());
}

/** Whether an address has something that `publicAddress` removes, besides its fragment. */
export function hasSecrets(url: URL): boolean {
  const plain = new URL(url);
  plain.hash = '';
  return publicAddress(url) !== plain.href;
}

/** User and password of an address that browsers do not accept, or without a scheme. */
const PASSWORD = /^(\s*(?:[a-z][\w+.-]*:)?[/\\]{2,})[^/\\?#]*@|^[^/\\?#:@]+:[^/\\?#@]*@/i;

/** Returns an address without its secrets, for storage. It may be relative. */
export function storedAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && url.host !== '') return hasSecrets(url) ? publicAddress(url) : address;
  const end = address.search(/[?#]/);
  const head = end < 0 ? address : address.slice(0, end);
  const plain = head.replace(PASSWORD, '$1');
  if (end < 0) return plain;
  const [query = ''] = address.slice(end).split('#');
  const placed = new URL('http://host');
  placed.pathname = head;
  placed.search = query;
  const { search } = new URL(publicAddress(placed));
  return plain === head && search === placed.search ? address : plain + search;
}

/** Returns a JSON text for storage, in which each address is without its secrets. */
export function storedText(text: string): string {
  if (!text.includes('://')) return text;
  const parts = text.split(/(["\s])/);
  return parts.map((part) => (part.includes('://') ? storedAddress(part) : part)).join('');
}

interface Pair {
  /** In lower case, decoded. */
  name: string;
  value: string;
  /** As written in the address. */
  text: string;
}

function pairsOf({ search }: URL): Pair[] {
  return search
    .slice(1)
    .split('&')
    .filter((text) => text !== '')
    .map((text) => {
      const [[name, value] = ['', '']] = [...new URLSearchParams(text)];
      return { name: name.toLowerCase(), value, text };
    });
}

function queryOf(pairs: readonly Pair[]): string {
  return pairs.length === 0 ? '' : `?${pairs.map(({ text }) => text).join('&')}`;
}
