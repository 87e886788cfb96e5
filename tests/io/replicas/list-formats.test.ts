// Lists as Rucio and DAS print them. The rows have the forms of rucio-necromancer's manual, of lib/rucio/cli and of dasgoclient's README.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { parseList } from '../../../web/io/replicas/list-formats';
import { addressAt, splitFiles, splitReplicas } from '../../../web/io/replicas/replica-names';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

const TABLE = `
+---------+---------------------------+------------+-----------+--------------------------------------------------------------------------------------+
| SCOPE   | NAME                      | FILESIZE   | ADLER32   | RSE: REPLICA                                                                         |
|---------+---------------------------+------------+-----------+--------------------------------------------------------------------------------------|
| mc20    | DAOD_PHYS.1.pool.root.1   | 1.234 GB   | 0948240a  | CERN-PROD_DATADISK: root://eosatlas.cern.ch:1094//eos/mc20/f8/88/DAOD_PHYS.1.pool.root.1 |
| mc20    | DAOD_PHYS.1.pool.root.1   | 1.234 GB   | 0948240a  | BNL-OSG2_DATADISK: davs://dcgftp.usatlas.bnl.gov:443/pnfs/mc20/f8/88/DAOD_PHYS.1.pool.root.1 |
| mc20    | DAOD_PHYS.2.pool.root.1   | 1.234 GB   | 0948240b  | BNL-OSG2_DATADISK: davs://dcgftp.usatlas.bnl.gov:443/pnfs/mc20/aa/bb/DAOD_PHYS.2.pool.root.1 |
+---------+---------------------------+------------+-----------+--------------------------------------------------------------------------------------+
`;

const TWO = [
  {
    logical: 'lfn:mc20:DAOD_PHYS.1.pool.root.1',
    names: [
      'root://eosatlas.cern.ch:1094//eos/mc20/f8/88/DAOD_PHYS.1.pool.root.1',
      'davs://dcgftp.usatlas.bnl.gov:443/pnfs/mc20/f8/88/DAOD_PHYS.1.pool.root.1',
    ],
  },
  {
    logical: 'lfn:mc20:DAOD_PHYS.2.pool.root.1',
    names: ['davs://dcgftp.usatlas.bnl.gov:443/pnfs/mc20/aa/bb/DAOD_PHYS.2.pool.root.1'],
  },
];

test('the table of rucio list-file-replicas', () => {
  expect(parseList(TABLE, 'list')).toEqual(TWO);
  // In a terminal.
  const rich = TABLE.replace(/^\+[-+]+\+$/gm, (line) => line.replace(/[-+]/g, '━'))
    .replace(/^\|-.*$/m, '┡━━━━┩')
    .replaceAll('|', '│');
  expect(parseList(rich, 'list')).toEqual(TWO);
  const states = TABLE.replace('RSE: REPLICA', '(STATE) RSE: REPLICA')
    .replace('CERN-PROD', '(A) CERN-PROD')
    .replace(/(\| )(BNL.*DAOD_PHYS\.1)/, '$1(U) $2')
    .replace(/(\| )(BNL.*DAOD_PHYS\.2)/, '$1(A) $2');
  expect(parseList(states, 'list').map(({ names }) => names.length)).toEqual([1, 1]);
  // A file without an available replica stays in the list, by its logical name.
  expect(parseList(states.replace('(A) BNL', '(U) BNL'), 'list')[1]).toEqual({
    ...{ names: [], logical: 'lfn:mc20:DAOD_PHYS.2.pool.root.1' },
  });
  expect(() => parseList(TABLE.replace(/root:\/\/\S*/, 'root://'.slice(0, 0)), 'list')).toThrow(
    'has no address',
  );
});

test('a list of lines may begin with a name that begins with a bracket', () => {
  for (const first of ['[ab]*.root', '[0-9].root', '{a}.root'])
    expect(parseList(`${first}\nb.root\n`, 'list')).toEqual([{ names: [first] }, { names: ['b.root'] }]);
  expect(parseList('[ "a.root",\n["b.root"]]', 'list').map(({ names }) => names)).toEqual([
    ['a.root'],
    ['b.root'],
  ]);
  for (const broken of ['["a.root"', '{"files": [', '[{]'])
    expect(() => parseList(broken, 'list')).toThrow('not JSON');
});

test('addresses of rucio list-file-replicas --pfns are replicas by the hash in their paths', () => {
  const path = (scope: string, name: string): string => {
    const hash = md5(`${scope}:${name}`);
    return `${scope.replace('.', '/')}/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${name}`;
  };
  const one = path('mc20', 'DAOD.1.root');
  const own = path('user.jdoe', 'ntuple.root');
  const list = [
    `root://a.org:1094//eos/${one}`,
    `root://a.org:1094//eos/${own}`,
    `davs://b.org/disk/${one}`,
    `davs://b.org/disk/${own}`,
    // The hash is that of another name.
    `davs://b.org/disk/${one.replace('mc20', 'mc21')}`,
    'https://c.org/2017/f.root',
    'https://c.org/2018/f.root',
  ].join('\n');
  expect(parseList(list, 'list', md5)).toEqual([
    { names: [`root://a.org:1094//eos/${one}`, `davs://b.org/disk/${one}`], logical: 'lfn:mc20:DAOD.1.root' },
    {
      names: [`root://a.org:1094//eos/${own}`, `davs://b.org/disk/${own}`],
      logical: 'lfn:user.jdoe:ntuple.root',
    },
    { names: [`davs://b.org/disk/${one.replace('mc20', 'mc21')}`] },
    { names: ['https://c.org/2017/f.root'] },
    { names: ['https://c.org/2018/f.root'] },
  ]);
  // Ranges of one file are not replicas, and a line that occurs twice stays so.
  const ranges = [`root://a.org//${one}#Events[0:10]`, `root://b.org//${one}#Events[10:20]`].join('\n');
  expect(parseList(ranges, 'list', md5)).toHaveLength(2);
  expect(parseList(`root://a.org//${one}\nroot://a.org//${one}`, 'list', md5)).toHaveLength(2);
});

test('addresses of CMS are replicas by their names in /store', () => {
  const name = 'store/mc/Summer11/ZMM/GEN-SIM/0003/02ACAA1A-9F32-E111-BB31-0002C90B743A.root';
  const list = `root://eoscms.cern.ch//eos/cms/${name}\ndavs://se.example.org:2880/cms/${name}\n`;
  expect(parseList(list, 'list', md5)).toEqual([{ names: list.trim().split('\n'), logical: `lfn:/${name}` }]);
});

test('metalink of rucio list-file-replicas --metalink', () => {
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<metalink xmlns="urn:ietf:params:xml:ns:metalink">
 <file name="DAOD_PHYS.1.pool.root.1">
  <identity>mc20:DAOD_PHYS.1.pool.root.1</identity>
  <hash type="adler32">0948240a</hash>
  <size>1234567</size>
  <glfn name="/atlas/rucio/mc20:DAOD_PHYS.1.pool.root.1"></glfn>
  <url location="BNL" domain="wan" priority="2" client_extract="false">davs://b.org/f.root?a=1&amp;b=2</url>
  <url location="CERN" domain="wan" priority="1" client_extract="false">root://a.org:1094//f.root</url>
 </file>
</metalink>`;
  expect(parseList(text, 'list')).toEqual([
    {
      logical: 'lfn:mc20:DAOD_PHYS.1.pool.root.1',
      names: ['root://a.org:1094//f.root', 'davs://b.org/f.root?a=1&b=2'],
      size: 1234567,
    },
  ]);
  expect(() => parseList('<html></html>', 'The list "x"')).toThrow('neither a list of files nor a metalink');
});

test('records of Rucio as JSON, one on each line or in a list', () => {
  const record = {
    scope: 'mc20',
    name: 'f.root',
    bytes: 1234,
    adler32: '0948240a',
    rses: { BNL: ['davs://b.org/f.root'], CERN: ['root://a.org//f.root'] },
    pfns: {
      'davs://b.org/f.root': { rse: 'BNL', type: 'DISK', priority: 2 },
      'root://a.org//f.root': { rse: 'CERN', type: 'DISK', priority: 1 },
    },
  };
  const read = [
    { logical: 'lfn:mc20:f.root', names: ['root://a.org//f.root', 'davs://b.org/f.root'], size: 1234 },
  ];
  expect(parseList(JSON.stringify([record]), 'list')).toEqual(read);
  expect(parseList(JSON.stringify(record), 'list')).toEqual(read);
  const lines = `${JSON.stringify(record)}\n${JSON.stringify({ ...record, name: 'g.root' })}\n`;
  expect(parseList(lines, 'list').map(({ logical }) => logical)).toEqual([
    'lfn:mc20:f.root',
    'lfn:mc20:g.root',
  ]);
  const { pfns: _, ...old } = record;
  expect(parseList(JSON.stringify([old]), 'list')[0]?.names).toEqual([
    'davs://b.org/f.root',
    'root://a.org//f.root',
  ]);
});

test('names and records of dasgoclient', () => {
  const name =
    '/store/mc/Summer11/ZMM/GEN-SIM/DESIGN42_V11_428_SLHC1-v1/0003/02ACAA1A-9F32-E111-BB31-0002C90B743A.root';
  expect(parseList(`${name}\n`, 'list', md5)).toEqual([{ names: [name] }]);
  expect(parseList(`${name} 1200 \n`, 'list')).toEqual([{ names: [name] }]);
  const record = {
    das: { expire: 1 },
    qhash: 'a',
    file: [{ adler32: 'eb5450c4', name, size: 2.063019163e9 }],
  };
  const printed = `[\n${JSON.stringify(record)} ,\n${JSON.stringify({ ...record, file: [{ name: '/store/b.root', size: 5 }] })}\n]\n`;
  expect(parseList(printed, 'list')).toEqual([
    { names: [], logical: `lfn:${name}`, size: 2063019163 },
    { names: [], logical: 'lfn:/store/b.root', size: 5 },
  ]);
  expect(() => parseList('[{"status": "error", "error": "no APIs found"}]', 'list')).toThrow(
    'neither a name nor a file',
  );
});

test('a JSON list of names, in which a list is one file', () => {
  expect(parseList('["a.root", ["root://a//f.root", "https://b/f.root"]]', 'list')).toEqual([
    { names: ['a.root'] },
    { names: ['root://a//f.root', 'https://b/f.root'] },
  ]);
  expect(parseList('{"files": ["a.root"]}', 'list')).toEqual([{ names: ['a.root'] }]);
  expect(() => parseList('[1]', 'list')).toThrow('neither a name nor a file: 1');
  expect(() => parseList('["a.root"', 'list')).toThrow('is not JSON');
});

test('a "|" separates replicas only before an address, a logical name or a path', () => {
  expect(splitReplicas('root://a//f.root|https://b/f.root?x=1|2|lfn:/store/f|/data/f|./g')).toEqual([
    'root://a//f.root',
    'https://b/f.root?x=1|2',
    'lfn:/store/f',
    '/data/f',
    './g',
  ]);
  expect(splitReplicas('a|b.root')).toEqual(['a|b.root']);
  expect(splitFiles('root://a//f|https://b/f,x,https://c/g')).toEqual([
    'root://a//f|https://b/f,x',
    'https://c/g',
  ]);
});

test('the address of a logical name on a redirector', () => {
  expect(addressAt('root://cms-xrd-global.cern.ch/', 'lfn:/store/f.root')).toBe(
    'root://cms-xrd-global.cern.ch//store/f.root',
  );
  expect(addressAt('root://fax.org:1094//atlas/rucio', 'lfn:mc20:f.root')).toBe(
    'root://fax.org:1094//atlas/rucio/mc20:f.root',
  );
  expect(addressAt('https://se.org/cms', '/store/f.root')).toBe('https://se.org/cms/store/f.root');
  expect(() => addressAt('cms-xrd-global.cern.ch', '/store/f.root')).toThrow(
    'not the address of a redirector',
  );
});
