import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from '../../cli/support';
import { withReader } from '../../engine-reader';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';

const reader = withReader();
const folder = mkdtempSync(join(tmpdir(), 'xylem-documented-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SAMPLE = join(import.meta.dirname, '../../../public/sample.root');
const TITLE = 'invariant mass of the two leading muons (GeV)';

/** Writes some columns of the sample in a format, and returns the path of the file. */
async function exported(format: string, ...words: string[]): Promise<string> {
  const path = join(folder, `${words.length}.${format}.out`);
  const chosen = words.length > 0 ? words : ['--branches', 'Dimuon_mass,nMuon,Muon_pt,Jet_pt,trigger'];
  const done = await run(reader, 'export', SAMPLE, 'Events', ...chosen, '--format', format, '-o', path);
  expect(done.err).not.toContain('xylem:');
  expect(done.status).toBe(0);
  return path;
}

function judged(script: string, ...args: string[]): unknown {
  return JSON.parse(execFileSync(oraclePython ?? '', ['-c', script, ...args], { encoding: 'utf8' }));
}

const PYARROW = `
import json, sys, pyarrow, pyarrow.parquet
files = dict(arg.split("=", 1) for arg in sys.argv[1:])
tables = {
    "arrow": lambda path: pyarrow.ipc.open_file(path).read_all(),
    "arrows": lambda path: pyarrow.ipc.open_stream(path).read_all(),
    "parquet": lambda path: pyarrow.parquet.read_table(path),
}
def told(table):
    return {
        "fields": {f.name: {k.decode(): v.decode() for k, v in (f.metadata or {}).items() if not k.startswith(b"PARQUET")} for f in table.schema},
        "types": {f.name: str(f.type).replace("element", "item") for f in table.schema},
        "sum": sum(table.column(0).to_pylist()), "rows": table.num_rows,
    }
print(json.dumps({kind: told(tables[kind](path)) for kind, path in files.items()}))`;

const ROOT = `
import json, sys, ROOT
file = ROOT.TFile(sys.argv[1])
if sys.argv[2] == "tree":
    print(json.dumps({branch.GetName(): branch.GetTitle() for branch in file.Get("Events").GetListOfBranches()}))
else:
    reader = ROOT.RNTupleReader.Open("Events", sys.argv[1])
    top = reader.GetDescriptor().GetTopLevelFields()
    print(json.dumps({field.GetFieldName(): field.GetFieldDescription() for field in top}))`;

test.skipIf(lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined))(
  'Arrow and Parquet keep the documentation and the unit of a column, as pyarrow reads them',
  async () => {
    const formats = ['arrow', 'arrows', 'parquet'];
    const files = await Promise.all(formats.map(async (format) => `${format}=${await exported(format)}`));
    const told = judged(PYARROW, ...files) as Record<string, { fields: object; types: object; rows: number }>;
    const fields = {
      ...{ nMuon: {}, Muon_pt: {}, Jet_pt: {}, trigger: {} },
      Dimuon_mass: { 'root.branch.title': TITLE, 'root.branch.unit': 'GeV' },
    };
    for (const format of formats) {
      expect(told[format]?.fields, format).toEqual(fields);
      expect(told[format]?.rows).toBe(2400);
      expect(told[format]?.types).toEqual(told.arrow?.types);
    }
  },
);

test.skipIf(lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined))(
  'ROOT finds it as the title of a branch, and as the description of a field',
  async () => {
    expect(judged(ROOT, await exported('root'), 'tree')).toMatchObject({
      Dimuon_mass: TITLE,
      Muon_pt: 'Muon_pt[nMuon]/F',
    });
    expect(judged(ROOT, await exported('rntuple'), 'ntuple')).toMatchObject({
      Dimuon_mass: TITLE,
      Muon_pt: '',
    });
  },
);

test('xylem finds it again, also for expressions that are only a branch', async () => {
  for (const format of ['root', 'rntuple']) {
    const path = await exported(format, 'Dimuon_mass:2*Dimuon_mass');
    const { tree } = JSON.parse((await run(reader, 'ls', path, 'Events', '--json')).out);
    const known = tree.branches.map((one: { documentation?: string }) => one.documentation);
    expect(known).toEqual([TITLE, undefined]);
    expect(tree.branches[0].unit).toBe('GeV');
  }
});
