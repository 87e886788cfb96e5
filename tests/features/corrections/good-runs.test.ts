import { expect, test } from 'vitest';
import { goodRunsOf } from '../../../web/features/corrections/work/good-runs';

const CMS = '{"297050": [[12, 137], [193, 776], [130, 140]], "1": [], "297056": [[1, 3], [4, 6], [10, 10]]}';
const ATLAS = `<?xml version="1.0" ?>
<!DOCTYPE LumiRangeCollection SYSTEM "LumiRangeCollection.dtd">
<LumiRangeCollection>
  <NamedLumiRange><Name>data18</Name><Metadata Name="RunList">348885</Metadata>
    <!-- <LumiBlockCollection><Run>1</Run></LumiBlockCollection> -->
    <LumiBlockCollection>
      <Channel>0</Channel>
      <Run PrescaleRBA="1.0">348885</Run>
      <LBRange Start="6" End="40"/>
      <LBRange Start="42" End='2147483647'/>
    </LumiBlockCollection>
    <LumiBlockCollection><Run>348894</Run><LBRange Start="1"/></LumiBlockCollection>
  </NamedLumiRange>
</LumiRangeCollection>`;

test('a list of CMS: ranges are joined, and both ends are included', () => {
  const list = goodRunsOf(CMS, 'Cert.json');
  expect(list.json()).toBe('{"297050": [[12,140],[193,776]], "297056": [[1,6],[10,10]]}');
  expect(list.blocks).toBe(129 + 584 + 6 + 1);
  for (const [run, block, isGood] of [
    [297050, 11, false],
    [297050, 12, true],
    [297050, 140, true],
    [297050, 141, false],
    [297050, 193, true],
    [297050n, 776n, true],
    [297050, 777, false],
    [297056, 7, false],
    [297056, 10, true],
    [1, 1, false],
    [2, 1, false],
  ] as const)
    expect([run, block, list.good(run, block)]).toEqual([run, block, isGood]);
});

test('each block of two lists is in the lists that sets say', () => {
  const one = goodRunsOf('{"5": [[1, 10], [20, 30]], "6": [[1, 2]]}', 'one');
  const other = goodRunsOf('{"5": [[5, 22], [30, 40]], "7": [[1, 1]]}', 'other');
  const lists = { and: one.and(other), or: one.or(other), without: one.without(other) };
  for (const run of [4, 5, 6, 7])
    for (let block = 0; block < 45; block++) {
      const [a, b] = [one.good(run, block), other.good(run, block)];
      expect([run, block, lists.and.good(run, block)]).toEqual([run, block, a && b]);
      expect([run, block, lists.or.good(run, block)]).toEqual([run, block, a || b]);
      expect([run, block, lists.without.good(run, block)]).toEqual([run, block, a && !b]);
    }
  expect(lists.or.json()).toBe('{"5": [[1,40]], "6": [[1,2]], "7": [[1,1]]}');
});

test('a list of ATLAS', () => {
  const list = goodRunsOf(ATLAS, 'grl.xml');
  expect(list.runs.map(({ run }) => run)).toEqual([348885, 348894]);
  expect([5, 6, 40, 41, 42, 9999].map((block) => list.good(348885, block))).toEqual([
    false,
    true,
    true,
    false,
    true,
    true,
  ]);
  expect(list.good(348894, 123456)).toBe(true);
});

test('mistakes are named with their place', () => {
  const error = (text: string): string => {
    try {
      goodRunsOf(text, 'list');
    } catch (thrown) {
      return (thrown as Error).message;
    }
    return '';
  };
  expect(error('{"a": []}')).toBe('The list of good runs "list" is not valid: a is not the number of a run.');
  expect(error('{"1": [[2, 1]]}')).toContain('1[0] ends before it begins, [2, 1]');
  expect(error('{"1": [[1, 2.5]]}')).toContain('1[0][1] is 2.5; a whole number was expected');
  expect(error('{"1": [[1, 2, 3]]}')).toContain(
    '1[0] is a list; a list of a first and a last block was expected',
  );
  expect(error('[]')).toContain('the document is a list; an object was expected');
  expect(error('<a/>')).toContain('without a LumiBlockCollection');
  expect(error('<LumiBlockCollection><LBRange Start="1" End="2"/></LumiBlockCollection>')).toContain(
    'before its Run',
  );
  expect(error('<LumiBlockCollection>'.repeat(100_000))).toBe('');
  expect(error('{')).toContain('is not JSON');
  expect(() => goodRunsOf('{}', 'x').good(Number.NaN, 1)).toThrow('The number of the run is NaN');
  expect(() => goodRunsOf('{}', 'x').good(1, undefined as never)).toThrow('luminosity block is undefined');
});
