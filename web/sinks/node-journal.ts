import { createHmac } from 'node:crypto';
import type { MergeSettings } from '../api/sink';

/** The first line of a journal. */
export interface JournalHead extends MergeSettings {
  /** Version of xylem. */
  version: string;
  date: number;
  /** UUID of the new file in hexadecimal digits. */
  uuid: string;
  /** Inode of the file that the journal belongs to. */
  file: string;
}

/** Bytes that are on the disk: from the end of the previous step, with their SHA-256 in hexadecimal digits. */
export interface JournalStep {
  end: number;
  sum: string;
}

/** A journal whose lines were all signed by this user. */
export interface Journal {
  head: JournalHead;
  steps: JournalStep[];
}

/**
 * Signs the lines of a journal. Each signature includes all earlier lines, so lines that somebody else wrote, removed
 * or moved are detected. Only the secret is unknown to others.
 */
export class JournalSigner {
  readonly #secret: Uint8Array;
  #last = '';

  constructor(secret: Uint8Array) {
    this.#secret = secret;
  }

  /** Returns the next line, with its line end. */
  line(content: JournalHead | JournalStep): string {
    const text = JSON.stringify(content);
    this.#last = this.#sign(text);
    return `${this.#last} ${text}\n`;
  }

  /** Returns the content of a line; undefined if it is not the next line signed by this user. */
  read(line: string): unknown {
    const [, sign, text = ''] = /^([0-9a-f]{64}) (.*)$/s.exec(line) ?? [];
    if (sign === undefined || sign !== this.#sign(text)) return undefined;
    this.#last = sign;
    return JSON.parse(text);
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#secret).update(`${this.#last}\n${text}`).digest('hex');
  }
}

/** Reads a journal. Lines after an incomplete one are ignored. Returns undefined if the text is not a journal. */
export function readJournal(text: string, secret: Uint8Array): Journal | undefined {
  const signer = new JournalSigner(secret);
  const [first = '', ...others] = text.split('\n');
  const head = signer.read(first);
  if (!isHead(head)) return undefined;
  const steps: JournalStep[] = [];
  for (const line of others) {
    const step = line === '' ? undefined : signer.read(line);
    if (!isStep(step)) break;
    steps.push(step);
  }
  return { head, steps };
}

/** Lines written by a version of xylem with other members are ignored. */
function isHead(value: unknown): value is JournalHead {
  const { version, date, uuid, file, name, schema, reproducible, inputs } = Object(
    value,
  ) as Partial<JournalHead>;
  return (
    [version, file, name, schema].every((text) => typeof text === 'string') &&
    typeof reproducible === 'boolean' &&
    Number.isSafeInteger(date) &&
    /^[0-9a-f]{32}$/.test(String(uuid)) &&
    Array.isArray(inputs) &&
    inputs.every((input) => typeof input?.name === 'string' && typeof input.stamp === 'string')
  );
}

function isStep(value: unknown): value is JournalStep {
  const { end, sum } = Object(value) as Partial<JournalStep>;
  return Number.isSafeInteger(end) && Number(end) > 0 && /^[0-9a-f]{64}$/.test(String(sum));
}
