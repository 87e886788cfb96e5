import { XylemError } from '../base/errors';
import { beginsAsRoot, ROOT_MARK } from './file-errors';

/** Kinds of files by their first bytes (in Latin-1), with a name and a fix. */
const KINDS: readonly [start: string, what: string, fix: string][] = [
  ['PK\x03\x04', 'a ZIP archive', 'Unpack it, and open the ROOT file in it.'],
  ['PK\x05\x06', 'an empty ZIP archive', 'There is nothing in it to open.'],
  ['\x1f\x8b', 'compressed with gzip', 'Unpack it (gunzip), and open the ROOT file in it.'],
  ['BZh', 'compressed with bzip2', 'Unpack it (bunzip2), and open the ROOT file in it.'],
  ['\xfd7zXZ\0', 'compressed with xz', 'Unpack it (unxz), and open the ROOT file in it.'],
  ['\x28\xb5\x2f\xfd', 'compressed with zstd', 'Unpack it (unzstd), and open the ROOT file in it.'],
  ['\x04\x22\x4d\x18', 'compressed with lz4', 'Unpack it (unlz4), and open the ROOT file in it.'],
  ['7z\xbc\xaf\x27\x1c', 'a 7-Zip archive', 'Unpack it, and open the ROOT file in it.'],
  ['Rar!\x1a\x07', 'a RAR archive', 'Unpack it, and open the ROOT file in it.'],
  ['\x89HDF\r\n\x1a\n', 'an HDF5 file', 'Open it with h5py, or in a browser with h5web.'],
  ['CDF\x01', 'a NetCDF file', 'Open it with a reader of NetCDF.'],
  ['CDF\x02', 'a NetCDF file', 'Open it with a reader of NetCDF.'],
  ['PAR1', 'a Parquet file', 'Open it with pyarrow, pandas or DuckDB.'],
  ['ARROW1', 'an Arrow file', 'Open it with pyarrow or pandas.'],
  ['FEA1', 'a Feather file', 'Open it with pyarrow or pandas.'],
  ['Obj\x01', 'an Avro file', 'Open it with a reader of Avro.'],
  ['\x93NUMPY', 'an array of numpy', 'Open it with numpy.load.'],
  ['SIMPLE  =', 'a FITS file', 'Open it with astropy.'],
  ['SQLite format 3\0', 'an SQLite database', 'Open it with sqlite3.'],
  ['%PDF-', 'a PDF document', 'Open it with a reader of PDF.'],
  ['\x89PNG\r\n\x1a\n', 'a picture (PNG)', 'Open the ROOT file instead.'],
  ['\xff\xd8\xff', 'a picture (JPEG)', 'Open the ROOT file instead.'],
  ['\x7fELF', 'a program', 'Open the ROOT file instead.'],
  [
    'version https://git-lfs.github.com/',
    'a pointer of Git LFS to a file that has not been fetched',
    'Fetch the file itself: git lfs pull.',
  ],
  [
    '/annex/objects/',
    'a pointer of git-annex to a file that has not been fetched',
    'Fetch the file itself: git annex get.',
  ],
];

const WEB_PAGE =
  'The server sent a page in place of the file, as for signing in or for an error: open the address in a tab ' +
  'to see it. The address must lead to the file itself, not to a page about it.';

/** Number of bytes that are examined. */
const LOOKED = 1024;
const TAR_MARK = 257;

/**
 * Returns the NOT_ROOT error for a file of another known kind, which the message names; undefined if the kind is
 * unknown. `head` contains the first bytes, or all bytes of a short file.
 */
export function otherFile(head: Uint8Array): XylemError | undefined {
  const start = startOf(head);
  if (start === '') {
    return notRoot(
      'The file is empty: it has no bytes.',
      'Copy it again, or see whether it is still being written.',
    );
  }
  const known = KINDS.find(([mark]) => start.startsWith(mark));
  if (known) {
    const [, what, fix] = known;
    // numpy.savez writes a ZIP archive of arrays, which begins with the first member's name.
    const numpy = what === 'a ZIP archive' && /^.{30}[^\0]*\.npy/s.test(start.slice(0, 300));
    return numpy
      ? notRoot('This is not a ROOT file, but an archive of numpy (NPZ).', 'Open it with numpy.load.')
      : notRoot(`This is not a ROOT file, but ${what}.`, fix);
  }
  if (start.startsWith('ustar', TAR_MARK)) {
    return notRoot('This is not a ROOT file, but a tar archive.', 'Unpack it, and open the ROOT file in it.');
  }
  if (/^\0+$/.test(start)) {
    return notRoot(
      'The file begins with zeros, where a ROOT file has "root": it was not written or copied to its end.',
      'Copy it again.',
    );
  }
  return textFile(head.subarray(0, LOOKED));
}

/** Returns the first bytes as Latin-1. */
function startOf(head: Uint8Array): string {
  return Array.from(head.subarray(0, LOOKED), (byte) => String.fromCharCode(byte)).join('');
}

/** Returns the error for a text: a web page, XML, JSON, or plain text. */
function textFile(head: Uint8Array): XylemError | undefined {
  const text = new TextDecoder().decode(head, { stream: true }).trimStart();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: text does not contain these characters
  if (/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/.test(text)) return undefined;
  if (/^<(?:!doctype html|html|head|body|title|script|!--)/i.test(text)) {
    return notRoot('This is not a ROOT file, but a web page (HTML).', WEB_PAGE);
  }
  if (text.startsWith('<')) {
    return notRoot(
      'This is not a ROOT file, but an XML document.',
      'Stores of objects answer so when something is wrong: open the address in a tab to see it.',
    );
  }
  const what = /^[{[]/.test(text) ? 'JSON' : 'text';
  return notRoot(
    `This is not a ROOT file, but ${what}.`,
    'Check that the path or address leads to the file itself. If a server sent this text, the text says what is wrong.',
  );
}

/** Returns the NOT_ROOT error for a file without a ROOT header; undefined if it begins like one and is not a text. */
export function unknownFile(head: Uint8Array): XylemError | undefined {
  // A file with only the mark was cut off.
  if (beginsAsRoot(head))
    return head.length > ROOT_MARK.length ? textFile(head.subarray(0, LOOKED)) : undefined;
  const bytes = Array.from(head.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  return notRoot(
    `This is not a ROOT file: it begins with the bytes ${bytes}, where a ROOT file has "root".`,
    'Check that the path or address leads to the file itself, and that it is not encrypted or compressed.',
  );
}

function notRoot(message: string, fix: string): XylemError {
  return new XylemError({ code: 'NOT_ROOT', message, fix });
}
