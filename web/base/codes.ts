/** Code of an error. Programs decide by it; people read the message. */
export type ErrorCode =
  | 'ABORTED'
  | 'ARGUMENT'
  | 'BUDGET'
  | 'CHECKSUM'
  | 'COMPRESSION'
  | 'CORE_LOST'
  | 'CORRUPT'
  | 'FILE_CHANGED'
  | 'HTTP_LENGTH'
  | 'HTTP_NO_RANGES'
  | 'HTTP_STATUS'
  | 'INTERNAL'
  | 'IO'
  | 'NETWORK'
  | 'NOT_FOUND'
  | 'NOT_REPLICA'
  | 'NOT_ROOT'
  | 'NO_STREAMER'
  | 'TIMEOUT'
  | 'TRUNCATED'
  | 'UNSUPPORTED';

/** Whether an error says that bytes are not those of the file that was opened, so that nothing may be made of both. */
export function isOtherContent(code: ErrorCode): boolean {
  return code === 'FILE_CHANGED' || code === 'NOT_REPLICA';
}

interface CodeFacts {
  /** Heading that the page shows above the message. */
  heading: string;
  /** Statuses in `wasm/src/status.h` that become this code. */
  core?: readonly number[];
  /** HTTP status of the gateway's answer. Default: 502. */
  http?: number;
  /** Advice if the core reports this error. */
  fix?: string;
}

const COPY_AGAIN = 'The file may be damaged: compare its checksum with the original and copy it again.';

/** All properties of the codes, except their meaning, which is in docs/errors.md. */
export const CODES: Readonly<Record<ErrorCode, CodeFacts>> = {
  ABORTED: { heading: 'Cancelled' },
  ARGUMENT: { heading: 'That cannot be opened', core: [10], http: 400 },
  BUDGET: { heading: 'Too large to read safely', core: [11, 12] },
  CHECKSUM: {
    heading: 'The data is damaged',
    core: [32],
    fix: 'The data were changed after they were written: copy the file again.',
  },
  COMPRESSION: { heading: 'The data does not decompress', core: [30, 31], fix: COPY_AGAIN },
  CORE_LOST: { heading: 'The core was started anew' },
  CORRUPT: { heading: 'The file is damaged here', core: [22], fix: COPY_AGAIN },
  FILE_CHANGED: { heading: 'The file changed while it was read', http: 409 },
  HTTP_LENGTH: { heading: 'The server sent the wrong amount of data' },
  HTTP_NO_RANGES: { heading: 'The server cannot send parts of files' },
  HTTP_STATUS: { heading: 'The server did not give the file' },
  INTERNAL: { heading: 'Something is wrong in xylem' },
  IO: { heading: 'The file could not be read' },
  NETWORK: { heading: 'The file could not be fetched' },
  NOT_FOUND: { heading: 'Not found', core: [42], http: 404 },
  NOT_REPLICA: { heading: 'The copies are not the same file', http: 409 },
  NOT_ROOT: {
    heading: 'Not a ROOT file',
    core: [21],
    fix: 'Check that the address leads to the file itself and not to a web page about it.',
  },
  NO_STREAMER: {
    heading: 'The file does not describe this class',
    core: [41],
    fix: 'The file does not describe this class, so no reader can decode it without its dictionary.',
  },
  TIMEOUT: { heading: 'The server took too long', http: 504 },
  TRUNCATED: {
    heading: 'The file ends too early',
    core: [20],
    fix: 'The file may not be complete: compare its size with the original and copy it again.',
  },
  UNSUPPORTED: { heading: 'Not readable yet', core: [13, 23, 40], http: 501 },
};
