import { resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { draw } from '../../../web/features/mcp/cli/draw';
import { withReader } from '../../engine-reader';
import { makeCall } from './mcp-call';

// As where the package is not installed.
vi.mock('@resvg/resvg-js', () => {
  throw new Error('Cannot find package');
});

const sample = resolve(import.meta.dirname, '../../../public/sample.root');
const reader = withReader();

test.each([{ expression: 'MET_pt' }, { object: 'plots/upsilon' }])(
  'without the package for PNG the fix is an argument of the tool: %o',
  async (what) => {
    const input = { file: sample, ...what };
    await expect(draw.run({ ...input, picture: 'png' }, makeCall(reader))).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      fix: expect.stringMatching(/picture: "svg"/),
    });
    const { picture } = await draw.run({ ...input, picture: 'svg' }, makeCall(reader));
    expect(picture?.mimeType).toBe('image/svg+xml');
  },
);
