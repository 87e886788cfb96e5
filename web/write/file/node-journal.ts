import { createHmac } from 'node:crypto';
import type { MergeSettings } from './sink';

/** The first line of a journal. */
export interface JournalHead extends MergeSettings {
  /** Version of xylem. */
  version: string;
  date: number;
  /** In hexadecimal digits. */
  uuid: string;
  /** Inode of the file that the journal is of. */
  file: string;
}

/** Bytes that are on the disk: those from the end of the line before, with their SHA-256 in hexadecimal digits. */
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
 * Signs the lines of a journal, each with those before it, so that a line that somebody else wrote, left out or moved is
 * told: all that a journal says is known to others, but not the secret.
 */
export class JournalSigner {
  readonly #secret: Uint8Array;
  #last = '';

  constructor(secret: Uint8Array) {
    this.#secret = secret;
  }

  /** The next line, with its end. */
  line(content: JournalHead | JournalStep): string {
    const text = JSON.stringify(content);
    this.#last = this.#sign(text);
    return `${this.#last} ${text}\n`;
  }

  /** The content of a line; undefined where it is not the next one that this user signed. */
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

/** Reads a journal. Lines behind one that was not written to its end do not count. Undefined for a file that is none. */
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

/** Lines that a version of xylem signed which wrote other members do not count. */
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
