import { describe, expect, expectTypeOf, test } from 'vitest';
import type { EngineApi } from '../../web/api/engine-api';
import * as ofFeatures from '../../web/features/public';
import * as browser from '../../web/index';
import * as node from '../../web/node';
import type {
  Arrays,
  Bin,
  Drawn,
  NameOf,
  OpenOptions,
  ReaderApi,
  RootHandle,
  RootSource,
  Rows,
  RowValue,
  ScanRow,
  TreeHandle,
  XylemReader,
} from '../../web/public';

// The types of the functions are checked by the compiler: `npm run typecheck`.

const shared = [
  'DOCTOR_RULES',
  'EXPORT_FORMATS',
  'XylemError',
  'calculate',
  'createReader',
  'fileSink',
  'fitHistogram',
  'fitTogether',
  'memorySink',
  'mergeRoot',
  'openCorrections',
  'openEventList',
  'openGoodRuns',
  'openReader',
  'openRoot',
  'pileupWeights',
  'plainRows',
  'readChunks',
  'writeRoot',
  ...Object.keys(ofFeatures),
].sort();

test('the functions and constants that the package exports', () => {
  expect(Object.keys(browser).sort()).toEqual(shared);
  expect(Object.keys(node).sort()).toEqual([...shared, 'serveReader'].sort());
});

describe('types', () => {
  test('openRoot, and what it returns', () => {
    expectTypeOf(node.openRoot).parameter(0).toEqualTypeOf<RootSource>();
    expectTypeOf(browser.openRoot).returns.resolves.toEqualTypeOf<RootHandle>();
    expectTypeOf(node.openRoot).parameter(1).exclude<undefined>().toExtend<OpenOptions>();
    expectTypeOf<RootHandle>().toExtend<AsyncDisposable>();
    expectTypeOf<RootHandle['tree']>().returns.resolves.toEqualTypeOf<TreeHandle>();
    expectTypeOf<{
      byteLength: number;
      slice(start: number, end: number): ArrayBuffer;
    }>().toExtend<RootSource>();
    expectTypeOf<string[]>().toExtend<RootSource>();
  });

  test('names, from lists and from texts', () => {
    expectTypeOf<NameOf<'nMuon, Muon_pt'>>().toEqualTypeOf<'nMuon' | 'Muon_pt'>();
    expectTypeOf<NameOf<readonly ['nMuon', 'Muon_pt[0]']>>().toEqualTypeOf<'nMuon' | 'Muon_pt[0]'>();
    expectTypeOf<NameOf<'Muon_*'>>().toEqualTypeOf<string>();
    expectTypeOf<NameOf<'TMath::Max(a,b)'>>().toEqualTypeOf<string>();
    expectTypeOf<NameOf<string>>().toEqualTypeOf<string>();
  });

  test('arrays, chunks, draw and scan of a tree', () => {
    // Never called: only its types count.
    const use = async (tree: TreeHandle) => {
      const some = await tree.arrays(['nMuon', 'Muon_pt'], { entries: [0, 10] });
      expectTypeOf(some).toEqualTypeOf<Arrays<readonly ['nMuon', 'Muon_pt']>>();
      expectTypeOf(some.nMuon).toEqualTypeOf<Rows>();
      // @ts-expect-error this was not asked for
      some.MET_pt;
      const typed = await tree.arrays<{ event: bigint; Muon_pt: number[] }>('event,Muon_pt');
      expectTypeOf(typed.Muon_pt).toEqualTypeOf<Rows<number[]>>();
      expectTypeOf(typed.Muon_pt.data[0]).toEqualTypeOf<number | undefined>();
      expectTypeOf(typed.event.data[0]).toEqualTypeOf<bigint | undefined>();
      for await (const { MET_pt } of tree.chunks('MET_pt'))
        expectTypeOf([...MET_pt]).toEqualTypeOf<RowValue[]>();
      const drawn = await tree.draw('y:x', { bins: [5, 6], range: [[0, 1], undefined], axis: 'tight' });
      expectTypeOf(drawn).toEqualTypeOf<Drawn>();
      for (const bin of drawn) expectTypeOf(bin).toEqualTypeOf<Bin>();
      for await (const row of tree.scan('x:y', { limit: 3 })) expectTypeOf(row).toEqualTypeOf<ScanRow>();
      // @ts-expect-error a number is not an expression
      await tree.draw(1);
    };
    expect(use).toBeTypeOf('function');
  });

  test('a reader has no calls that only xylem makes', () => {
    // They may change with each version.
    type Internal = Exclude<keyof EngineApi, keyof ReaderApi>;
    expectTypeOf<Internal>().toEqualTypeOf<
      | 'arrays'
      | 'process'
      | 'records'
      | 'fields'
      | 'walk'
      | 'bytes'
      | 'readAhead'
      | 'functionValues'
      | 'readBlock'
      | 'scan'
      | 'encode'
      | 'layout'
      | 'plannedReads'
      | 'makeBaskets'
      | 'recover'
    >();
    expectTypeOf<Extract<keyof XylemReader, Internal>>().toEqualTypeOf<never>();
    expectTypeOf(browser.createReader).returns.toEqualTypeOf<XylemReader>();
    expectTypeOf(node.openReader).returns.resolves.toEqualTypeOf<XylemReader>();
    expectTypeOf<RootHandle['reader']>().toEqualTypeOf<XylemReader>();
  });
});

test('a reader that xylem did not make is refused', async () => {
  const chunks = node.readChunks({ tree: async () => ({}) } as never, 1, { tree: 'Events' });
  await expect(chunks.next()).rejects.toMatchObject({
    code: 'ARGUMENT',
    message: 'This reader was not made by xylem.',
  });
});
