import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { draw } from '../../web/cli/commands/mcp/draw';
import { Call } from '../../web/cli/commands/mcp/tool';
import { OwnFiles } from '../../web/cli/own-files';
import { TextOutput } from '../../web/cli/terminal/output';
import { openRoot } from '../../web/node';
import type { EngineReader } from '../../web/write/api';
import { openReader } from '../engine-reader';

// As where the package is not installed.
vi.mock('@resvg/resvg-js', () => {
  throw new Error('Cannot find package');
});

const sample = resolve(import.meta.dirname, '../../public/sample.root');
let reader: EngineReader;

beforeAll(async () => {
  reader = await openReader({ workers: 0 });
});
afterAll(() => reader.terminate());

function makeCall(): Call {
  const context = {
    out: new TextOutput(process.stdout),
    err: new TextOutput(process.stderr),
    interactive: false,
    files: new OwnFiles(),
    reader: async () => reader,
    open: async (source: Parameters<typeof openRoot>[0]) => ({
      ...(await openRoot(source, { reader })),
      reader,
    }),
  };
  return new Call(context, { read: 1e9, answer: 1e6, writeTo: undefined }, undefined);
}

test.each([{ expression: 'MET_pt' }, { object: 'plots/upsilon' }])(
  'without the package for PNG the fix is an argument of the tool: %o',
  async (what) => {
    const input = { file: sample, ...what };
    await expect(draw.run({ ...input, picture: 'png' }, makeCall())).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      fix: expect.stringMatching(/picture: "svg"/),
    });
    const { picture } = await draw.run({ ...input, picture: 'svg' }, makeCall());
    expect(picture?.mimeType).toBe('image/svg+xml');
  },
);
