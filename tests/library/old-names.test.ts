import { expect, test, vi } from 'vitest';
import { openReader, openRoot } from '../../web/node';

const path = 'public/sample.root';
const entries: [number, number] = [0, 5];

test('old names of calls work and say the new name once', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const file = await openRoot(path, { workers: 0 });
  const reader = await openReader({ workers: 0 });
  try {
    const tree = await file.tree('Events');
    const request = { expr: 'MET_pt', entries };
    const drawn = await tree.draw('MET_pt', { entries });
    const rows = [];
    for await (const { MET_pt } of tree.scan('MET_pt', { entries })) rows.push(MET_pt);
    const { MET_pt } = await tree.arrays('MET_pt', { entries });
    expect(warn).not.toHaveBeenCalled();
    expect(await tree.query(request)).toEqual({ ...drawn });
    expect((await tree.table({ columns: 'MET_pt', entries })).values).toEqual([rows]);
    expect(await tree.columns({ branches: ['MET_pt'], entries })).toEqual({ MET_pt: MET_pt.column });
    expect(await tree.draw({ branch: 'MET_pt', entries })).toMatchObject({ entries: 5 });
    let chunked = 0;
    for await (const chunk of tree.chunks({ branches: ['MET_pt'], entries })) chunked += chunk.rows;
    expect(chunked).toBe(5);
    expect(await tree.process({ branches: ['MET_pt'], entries, onChunk: () => {} })).toBe(5);

    const { id } = await reader.open({ kind: 'path', path });
    const asked = { tree: 'Events', branches: ['MET_pt'], entries };
    expect(await reader.read(id, asked)).toEqual(await reader.arrays(id, asked));
    await reader.read(id, asked);
    expect(warn.mock.calls.map(([text]) => String(text).replace(/\. .*/, ''))).toEqual([
      'xylem: "query" is now called "draw"',
      'xylem: "table" is now called "scan"',
      'xylem: "columns" is now called "arrays"',
      'xylem: "draw({ branch })" is now called "draw(expression)"',
      'xylem: "chunks({ branches })" is now called "chunks(names)"',
      'xylem: "process" is now called "chunks"',
      'xylem: "read" is now called "arrays"',
    ]);
  } finally {
    await file.close();
    reader.terminate();
    warn.mockRestore();
  }
});
