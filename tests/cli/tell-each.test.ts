import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Context } from '../../web/cli/context';
import { tellEach } from '../../web/cli/terminal/each';
import { TextOutput } from '../../web/cli/terminal/output';

test.each(['text', 'json'] as const)(
  '%s: each result is written before the next one is known',
  async (as) => {
    let written = '';
    const stream = new Writable({
      write(piece, _encoding, done) {
        written += String(piece);
        done();
      },
    });
    const out = new TextOutput(stream);
    async function* results() {
      yield 'first';
      expect(written).toContain('first');
      yield 'second';
      expect(written).toContain('second');
      return 2;
    }
    const context = { out, err: out } as unknown as Context;
    expect(await tellEach(results(), (title) => ({ title }), as, context)).toBe(2);
  },
);
