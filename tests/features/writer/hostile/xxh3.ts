// XXH3 of 64 bits with the seed 0, by the specification (github.com/Cyan4973/xxHash, doc/xxhash_spec.md): envelopes and
// anchors of RNTuples that a test changes get a checksum that is right again.

const SECRET = Buffer.from(
  [
    'b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248e',
    'e03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a',
    '51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8f',
    'f8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e',
  ].join(''),
  'hex',
);
const MASK = (1n << 64n) - 1n;
const [P32_1, P32_2, P32_3] = [0x9e3779b1n, 0x85ebca77n, 0xc2b2ae3dn];
const P64_1 = 0x9e3779b185ebca87n;
const P64_2 = 0xc2b2ae3d27d4eb4fn;
const P64_3 = 0x165667b19e3779f9n;
const P64_4 = 0x85ebca77c2b2ae63n;
const P64_5 = 0x27d4eb2f165667c5n;
const MX1 = 0x165667919e3779f9n;
const MX2 = 0x9fb21c651e98df25n;

const secret = (at: number): bigint => SECRET.readBigUInt64LE(at);
const rotated = (h: bigint, by: bigint): bigint => ((h << by) | (h >> (64n - by))) & MASK;

/** The two halves of a product of 128 bits, in one. */
function folded(a: bigint, b: bigint): bigint {
  const product = a * b;
  return (product & MASK) ^ (product >> 64n);
}

function avalanche(h: bigint): bigint {
  const mixed = ((h ^ (h >> 37n)) * MX1) & MASK;
  return mixed ^ (mixed >> 32n);
}

function oldAvalanche(h: bigint): bigint {
  const once = ((h ^ (h >> 33n)) * P64_2) & MASK;
  const twice = ((once ^ (once >> 29n)) * P64_3) & MASK;
  return twice ^ (twice >> 32n);
}

export function xxh3(data: Uint8Array): bigint {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  const length = bytes.length;
  const word = (at: number): bigint => bytes.readBigUInt64LE(at);
  const mix = (at: number, key: number): bigint =>
    folded(word(at) ^ secret(key), word(at + 8) ^ secret(key + 8));
  if (length > 240) return ofMany(bytes);
  if (length > 128) {
    let sum = BigInt(length) * P64_1;
    for (let i = 0; i < 8; i++) sum += mix(16 * i, 16 * i);
    sum = avalanche(sum & MASK);
    for (let i = 8; i < Math.floor(length / 16); i++) sum += mix(16 * i, 16 * (i - 8) + 3);
    return avalanche((sum + mix(length - 16, 119)) & MASK);
  }
  if (length > 16) {
    let sum = BigInt(length) * P64_1;
    for (let i = Math.floor((length - 1) / 32); i >= 0; i--)
      sum += mix(16 * i, 32 * i) + mix(length - 16 * (i + 1), 32 * i + 16);
    return avalanche(sum & MASK);
  }
  if (length > 8) {
    const low = word(0) ^ secret(24) ^ secret(32);
    const high = word(length - 8) ^ secret(40) ^ secret(48);
    const swapped = Buffer.alloc(8);
    swapped.writeBigUInt64LE(low);
    return avalanche((BigInt(length) + swapped.readBigUInt64BE() + high + folded(low, high)) & MASK);
  }
  if (length >= 4) {
    const both = BigInt(bytes.readUInt32LE(length - 4)) + (BigInt(bytes.readUInt32LE(0)) << 32n);
    let h = both ^ secret(8) ^ secret(16);
    h = ((h ^ rotated(h, 49n) ^ rotated(h, 24n)) * MX2) & MASK;
    h = ((h ^ ((h >> 35n) + BigInt(length))) * MX2) & MASK;
    return h ^ (h >> 28n);
  }
  if (length > 0) {
    const [a = 0, b = 0, c = 0] = [bytes[0], bytes[length >> 1], bytes[length - 1]];
    const all = BigInt(((a << 16) | (b << 24) | c | (length << 8)) >>> 0);
    return oldAvalanche(all ^ BigInt((SECRET.readUInt32LE(0) ^ SECRET.readUInt32LE(4)) >>> 0));
  }
  return oldAvalanche(secret(56) ^ secret(64));
}

function ofMany(bytes: Buffer): bigint {
  const sums = [P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1];
  const stripe = (at: number, key: number): void => {
    for (let i = 0; i < 8; i++) {
      const data = bytes.readBigUInt64LE(at + 8 * i);
      const keyed = data ^ secret(key + 8 * i);
      sums[i ^ 1] = ((sums[i ^ 1] ?? 0n) + data) & MASK;
      sums[i] = ((sums[i] ?? 0n) + (keyed & 0xffffffffn) * (keyed >> 32n)) & MASK;
    }
  };
  const blocks = Math.floor((bytes.length - 1) / 1024);
  for (let block = 0; block < blocks; block++) {
    for (let n = 0; n < 16; n++) stripe(1024 * block + 64 * n, 8 * n);
    for (let i = 0; i < 8; i++) {
      const sum = sums[i] ?? 0n;
      sums[i] = ((sum ^ (sum >> 47n) ^ secret(128 + 8 * i)) * P32_1) & MASK;
    }
  }
  const rest = Math.floor((bytes.length - 1 - 1024 * blocks) / 64);
  for (let n = 0; n < rest; n++) stripe(1024 * blocks + 64 * n, 8 * n);
  stripe(bytes.length - 64, 121);
  let result = BigInt(bytes.length) * P64_1;
  for (let i = 0; i < 4; i++)
    result += folded(
      (sums[2 * i] ?? 0n) ^ secret(11 + 16 * i),
      (sums[2 * i + 1] ?? 0n) ^ secret(19 + 16 * i),
    );
  return avalanche(result & MASK);
}
