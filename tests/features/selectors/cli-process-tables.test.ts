import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Run, run } from '../../cli/support';
import { withReader } from '../../engine-reader';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';

const folder = mkdtempSync(join(tmpdir(), 'xylem-tables-'));
const sample = resolve(import.meta.dirname, '../../../public/sample.root');
const at = (name: string): string => join(folder, name);
const reader = withReader();
const xylem = (...args: string[]): Promise<Run> => run(reader, ...args);

beforeAll(async () => {
  writeFileSync(
    at('skim.mjs'),
    `export default {
      branches: { pt: 'Muon_pt', met: 'MET_pt', event: 'event', trigger: 'trigger' },
      where: 'nMuon >= 2',
      begin: (job) => ({
        rows: job.table({ event: 'whole', lead: 'number', ratio: 'number', trigger: 'text', large: 'unsigned' }), n: job.counter(), h: job.hist([5, 0, 9]),
        none: job.table({ event: 'whole' }),
      }),
      entry({ pt, met, event, trigger }, out) {
        out.n.add();
        const lead = Math.max(...pt);
        if (lead > 40) out.rows.row({ event, lead, ratio: met / lead, trigger, large: 2n ** 64n - 1n - event });
      },
    };`,
  );
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('--root names the results that a ROOT file does not get', async () => {
  writeFileSync(
    at('own.mjs'),
    `export default { branches: { n: 'nMuon' }, begin: (job) => ({ h: job.hist([5, 0, 9]), c: job.counter(), list: [] }),
    entry({ n }, out) { out.h.fill(n); out.c.add(); }, merge: (one, other) => ({ list: [...one.list, ...other.list] }) };`,
  );
  const { status, err } = await xylem('process', at('own.mjs'), sample, 'Events', '--root', at('left.root'));
  expect([status, err]).toEqual([
    0,
    expect.stringMatching(/^note: list: only histograms, .* and labels are/m),
  ]);
  const { out } = await xylem('ls', at('left.root'));
  expect(out).toMatch(/^c;1 +TH1D/m);
  expect(out).not.toMatch(/^list/m);
  writeFileSync(
    at('whole.mjs'),
    `export default { branches: { n: 'nMuon' },
    begin: (job) => ({ h: job.hist([5, 0, 9]) }), entry({ n }, out) { out.h.fill(n); } };`,
  );
  const whole = await xylem('process', at('whole.mjs'), sample, 'Events', '--root', at('whole.root'));
  expect(whole).toMatchObject({ status: 0, err: '' });
});

test.skipIf(lacks('ORACLE_PYTHON', oraclePython !== undefined))(
  'a skim with new columns as Parquet, Arrow and ROOT has the rows of RDataFrame',
  async () => {
    const process = ['process', at('skim.mjs'), sample, 'Events', '--result', 'rows'];
    for (const format of ['parquet', 'arrow', 'root'])
      expect(
        (
          await xylem(
            ...(format === 'root' ? process.slice(0, 4) : process),
            `--${format}`,
            at(`rows.${format}`),
          )
        ).status,
      ).toBe(0);
    // From partial results of ranges, in another order.
    const ranges = ['[0:1000]', '[1000:2400]'];
    for (const [i, range] of ranges.entries())
      await xylem(
        'process',
        at('skim.mjs'),
        `${sample}?#Events${range}`,
        'Events',
        '--partial',
        at(`${i}.json`),
      );
    await xylem('combine', at('1.json'), at('0.json'), '--result', 'rows', '--parquet', at('parts.parquet'));
    const script = `
import json, ROOT, pyarrow.parquet as pq, pyarrow.feather as feather
frame = ROOT.RDataFrame("Events", "${sample}").Filter("nMuon >= 2").Define("lead", "double(Max(Muon_pt))").Filter("lead > 40").Define("ratio", "MET_pt / lead")
truth = {"event": [int(v) for v in frame.Take["ULong64_t"]("event")], "lead": list(frame.Take["double"]("lead")), "ratio": list(frame.Take["double"]("ratio")), "trigger": [str(v) for v in frame.Take["std::string"]("trigger")]}
truth["large"] = [2**64 - 1 - v for v in truth["event"]]
made = ROOT.RDataFrame("rows", "${at('rows.root')}")
root = {"event": [int(v) for v in made.Take["Long64_t"]("event")], "lead": list(made.Take["double"]("lead")), "ratio": list(made.Take["double"]("ratio")), "trigger": [str(v) for v in made.Take["std::string"]("trigger")], "large": [int(v) for v in made.Take["ULong64_t"]("large")]}
tables = {"parquet": pq.read_table("${at('rows.parquet')}"), "parts": pq.read_table("${at('parts.parquet')}"), "arrow": feather.read_table("${at('rows.arrow')}")}
print(json.dumps({"rows": len(truth["event"]), "root": root == truth, **{name: table.to_pydict() == truth for name, table in tables.items()},
  "types": [str(one.type) for one in tables["parquet"].schema]}))`;
    const found = execFileSync(oraclePython ?? '', ['-W', 'ignore', '-c', script], { encoding: 'utf8' });
    const { rows, types, ...equal } = JSON.parse(found);
    expect(rows).toBeGreaterThan(50);
    expect(equal).toEqual({ root: true, parquet: true, parts: true, arrow: true });
    expect(types).toEqual(['int64', 'double', 'double', 'string', 'uint64']);
  },
  120_000,
);

test('a table without rows is written, a file is kept, and what is not a table is refused', async () => {
  const process = ['process', at('skim.mjs'), sample, 'Events'];
  const empty = [...process, '--result', 'none', '--arrow', at('none.arrow')];
  expect((await xylem(...empty)).status).toBe(0);
  expect(existsSync(at('none.arrow'))).toBe(true);
  expect((await xylem(...empty)).err).toMatch(/none\.arrow.*--force/s);
  expect((await xylem(...empty, '--force')).status).toBe(0);
  const refused = async (...more: string[]) => (await xylem(...process, ...more)).err;
  expect(await refused('--parquet', at('x'))).toMatch(/There are 2 tables; name one by --result: rows, none/);
  expect(await refused('--parquet', at('x'), '--result', 'n')).toMatch(
    /"n" is neither a table nor a histogram/,
  );
  expect(await refused('--parquet', at('x'), '--result', 'g')).toMatch(/makes no "g"/);
  expect(await refused('--parquet', at('x'), '--json')).toMatch(/Take one of --parquet, --arrow/);
  expect(existsSync(at('x'))).toBe(false);
});

test('a column has whole numbers with or without a sign, exact in each form and after combine, and refuses others', async () => {
  writeFileSync(
    at('ids.mjs'),
    `let set;
    export default {
      branches: { met: 'MET_pt' }, where: 'LocalEntry$ == 3',
      begin: (job) => { set = job.set; return { ids: job.table({ id: set.type }) }; },
      entry(_, { ids }) { ids.row({ id: BigInt(set.id) }); },
    };`,
  );
  const process = (type: string, id: bigint, ...more: string[]) =>
    xylem('process', at('ids.mjs'), sample, 'Events', '--set', `type=${type}`, '--set', `id=${id}`, ...more);
  const [half, all] = [2n ** 63n, 2n ** 64n];
  for (const [type, id] of [
    ['whole', half - 1n],
    ['whole', -half],
    ['unsigned', half],
    ['unsigned', all - 1n],
  ] as const) {
    expect((await process(type, id, '--json')).out).toContain(`"id": [${id}]`);
    await process(type, id, '--partial', at('ids.json'));
    expect((await xylem('combine', at('ids.json'), '--json')).out).toContain(`"id": [${id}]`);
    expect((await process(type, id, '--result', 'ids', '--csv', '-')).out).toContain(`id\n${id}`);
  }
  expect((await process('whole', half)).err).toMatch(
    /holds whole numbers of 64 bits; it got 9223372036854775808.*'unsigned'/s,
  );
  for (const id of [-1n, all])
    expect((await process('unsigned', id)).err).toMatch(/holds whole numbers from 0 to 2\^64 - 1; it got/);
  // A number that is changed in a partial result does not become another one.
  const text = readFileSync(at('ids.json'), 'utf8');
  const place = text.lastIndexOf(`"${all - 1n}"`);
  for (const id of [-1n, all]) {
    writeFileSync(at('wrong.json'), text.slice(0, place) + text.slice(place).replace(`${all - 1n}`, `${id}`));
    expect(await xylem('combine', at('wrong.json'))).toMatchObject({
      status: 1,
      err: expect.stringContaining('a whole number is missing'),
    });
  }
});
