type Tables = [Uint32Array, Uint32Array, Uint32Array, Uint32Array];

let ieee: Tables | undefined;
let castagnoli: Tables | undefined;

/** Makes tables for four bytes at a time: table k contains the CRC of a byte followed by k zero bytes. */
function makeTables(polynomial: number): Tables {
  const made = [0, 1, 2, 3].map(() => new Uint32Array(256));
  const [first] = made as [Uint32Array];
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? polynomial ^ (c >>> 1) : c >>> 1;
    first[n] = c;
  }
  for (let k = 1; k < 4; k++) {
    for (let n = 0; n < 256; n++) {
      const before = made[k - 1]?.[n] ?? 0;
      (made[k] as Uint32Array)[n] = (first[before & 255] ?? 0) ^ (before >>> 8);
    }
  }
  return made as Tables;
}

/** Returns the CRC-32 (IEEE 802.3, as in zlib and PNG) of bytes. `previous` is the CRC of the bytes before them. */
export function tableCrc32(bytes: Uint8Array, previous = 0): number {
  ieee ??= makeTables(0xedb88320);
  return crc(ieee, bytes, previous);
}

/** Returns the CRC-32C (Castagnoli, as in iSCSI and XRootD) of bytes. */
export function tableCrc32c(bytes: Uint8Array): number {
  castagnoli ??= makeTables(0x82f63b78);
  return crc(castagnoli, bytes, 0);
}

function crc([t0, t1, t2, t3]: Tables, bytes: Uint8Array, previous: number): number {
  let c = ~previous;
  let i = 0;
  for (const whole = bytes.length - 3; i < whole; i += 4) {
    c ^=
      (bytes[i] as number) |
      ((bytes[i + 1] as number) << 8) |
      ((bytes[i + 2] as number) << 16) |
      ((bytes[i + 3] as number) << 24);
    c =
      (t3[c & 255] as number) ^
      (t2[(c >>> 8) & 255] as number) ^
      (t1[(c >>> 16) & 255] as number) ^
      (t0[c >>> 24] as number);
  }
  for (; i < bytes.length; i++) c = (t0[(c ^ (bytes[i] as number)) & 255] as number) ^ (c >>> 8);
  return ~c >>> 0;
}
