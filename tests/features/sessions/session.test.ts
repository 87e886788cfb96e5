import { describe, expect, it } from 'vitest';
import {
  differenceOf,
  formatSession,
  isSameFile,
  MAX_SESSION,
  MAX_UNASKED,
  opensOf,
  parseSession,
  type Session,
} from '../../../web/features/sessions/work/session';
import { packText, unpackText } from '../../../web/features/sessions/work/session-link';

const session: Session = {
  title: 'Zwei Muonen, "Z" & <b>',
  files: [
    { url: 'https://host.org/a%20b.root?file=7', size: 150_000, uuid: '0a-ff', state: '?tree=Events&draw=x' },
    { name: 'über uns.root', size: 12, state: '?view=map' },
    { list: [{ name: 'one.root' }, { url: 'root://host//two.root' }], open: false },
  ],
  views: [
    { file: 0, state: '?tree=Events&draw=nMuon&notes=1%2C2%3A+a', title: 'muons', note: 'look\nhere' },
    { file: 2, state: '?tree=t', title: '' },
  ],
  shown: 1,
  contents: 'folded',
};
const of = (change: object): string => JSON.stringify({ xylem: 'session', version: 1, files: [], ...change });

/** The error of a text that is not a session. */
function errorOf(text: string): unknown {
  try {
    parseSession(text);
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}

describe('a session', () => {
  it('comes back from its text', () => {
    expect(parseSession(formatSession(session))).toEqual(session);
    const empty: Session = { title: '', files: [], views: [], shown: undefined, contents: undefined };
    expect(parseSession(formatSession(empty))).toEqual(empty);
  });

  it('comes back from a link, whatever its letters', async () => {
    const text = formatSession(session);
    const packed = await packText(text);
    expect(packed).toMatch(/^[\w-]+$/);
    expect(packed.length).toBeLessThan(text.length);
    expect(await unpackText(packed)).toBe(text);
  });

  it('may have relative addresses', () => {
    for (const url of ['run.root', 'a/b.root?x=1:2', './a:b.root', '../c.root', '/d.root'])
      expect(parseSession(of({ files: [{ url }] })).files).toEqual([{ url }]);
  });
});

describe('what is not a session is refused', () => {
  it.each([
    ['ARGUMENT', '', 'not JSON'],
    ['ARGUMENT', 'null', '"xylem": "session"'],
    ['ARGUMENT', '[]', '"xylem": "session"'],
    ['ARGUMENT', '{"seed": 1}', '"xylem": "session"'],
    ['ARGUMENT', of({ version: 0 }), '"version" of the session has to be'],
    ['ARGUMENT', of({ version: '1' }), '"version" of the session has to be'],
    ['UNSUPPORTED', of({ version: 2, later: true }), 'has version 2'],
    ['ARGUMENT', '{"xylem": "session", "files": []}', 'lacks "version"'],
    ['ARGUMENT', '{"xylem": "session", "version": 1}', 'lacks "files"'],
    ['ARGUMENT', of({ files: {} }), '"files" of the session has to be a list'],
    ['ARGUMENT', of({ flies: [] }), 'has "flies", which no session has. Did you mean "files"?'],
    ['ARGUMENT', of({ files: [7] }), 'files[0] is not an object'],
    ['ARGUMENT', of({ files: [{}] }), 'neither an address nor a name'],
    ['ARGUMENT', of({ files: [{ name: 3 }] }), '"name" of files[0] has to be a text'],
    ['ARGUMENT', of({ files: [{ name: 'a', size: -1 }] }), '"size" of files[0]'],
    ['ARGUMENT', of({ files: [{ name: 'a', run: 'x' }] }), 'has "run"'],
    ['ARGUMENT', of({ files: [{ list: [] }] }), 'list is empty'],
    ['ARGUMENT', of({ files: [{ list: [{}] }] }), 'files[0].list[0] has neither'],
    ['ARGUMENT', of({ files: [{ list: [{ name: 'a' }], name: 'b' }] }), 'a list and'],
    ['ARGUMENT', of({ shown: 0 }), '"shown" is 0'],
    ['ARGUMENT', of({ views: [{ file: 0, state: '' }] }), 'names file 0'],
    ['ARGUMENT', of({ files: [{ name: 'a' }], views: [{ file: 0 }] }), 'lacks "state"'],
    ['ARGUMENT', of({ title: 'x'.repeat(301) }), '"title" of the session'],
    ['ARGUMENT', of({ contents: 'wide; x' }), '"contents" of the session'],
    ['ARGUMENT', of({ files: Array.from({ length: 1001 }, () => ({ name: 'a' })) }), '1001 items'],
    ['BUDGET', of({ title: 'x'.repeat(MAX_SESSION) }), 'larger than 1 MB'],
    ['ARGUMENT', '{"__proto__": {"xylem": "session"}, "version": 1, "files": []}', '"xylem": "session"'],
    [
      'ARGUMENT',
      '{"xylem": "session", "version": 1, "files": [], "__proto__": {"shown": 0}}',
      'has "__proto__"',
    ],
  ])('%s: %s', (code, text, message) => {
    expect(errorOf(text)).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://host/a.root',
    '//host/a.root',
    '\\\\host\\a.root',
    'blob:https://host/1',
    '',
  ])('the address %j', (url) => {
    const files = [{ url }];
    expect(errorOf(of({ files }))).toMatchObject({ code: 'ARGUMENT' });
    expect(errorOf(of({ files: [{ list: files }] }))).toMatchObject({ code: 'ARGUMENT' });
  });
});

describe('a link that is damaged', () => {
  it('says so', async () => {
    const packed = await packText(formatSession(session));
    const damaged = [packed.slice(0, -5), `${packed.slice(0, 20)}AAAA${packed.slice(24)}`, '!!', '', 'AAAA'];
    for (const one of damaged)
      await expect(unpackText(one)).rejects.toMatchObject({
        code: 'ARGUMENT',
        message: expect.stringContaining('damaged'),
      });
  });

  it('of very much from very little stops early', async () => {
    const packed = await packText('x'.repeat(MAX_SESSION));
    expect(packed.length).toBeLessThan(2000);
    expect(await unpackText(packed)).toHaveLength(MAX_SESSION);
    const bytes = new Blob(['x'.repeat(50_000_000)]).stream();
    const bomb = await new Response(bytes.pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer();
    const text = Buffer.from(bomb).toString('base64url');
    await expect(unpackText(text)).rejects.toMatchObject({ code: 'BUDGET' });
  });
});

describe('files of a session', () => {
  it('are told apart by size and UUID', () => {
    expect(differenceOf({ name: 'a', size: 3 }, { name: 'a', size: 3, uuid: 'f' })).toBeUndefined();
    expect(differenceOf({ size: 3 }, { size: 4 })).toBe('it has 4 bytes, not 3');
    expect(differenceOf({ size: 3, uuid: 'a' }, { size: 3, uuid: 'b' })).toBe('its UUID is b, not a');
    expect(isSameFile({ name: 'a', size: 3 }, { name: 'a' })).toBe(true);
    expect(isSameFile({ name: 'a', size: 3 }, { name: 'a', size: 4 })).toBe(false);
    expect(isSameFile({ name: 'a' }, { url: 'a' })).toBe(false);
    expect(isSameFile({ list: [{ name: 'a' }] }, { list: [{ name: 'a' }] })).toBe(true);
    expect(isSameFile({ list: [{ name: 'a' }] }, { list: [{ name: 'b' }] })).toBe(false);
  });
});

it('counts the files that are opened, with their servers', () => {
  const local = Array.from({ length: MAX_UNASKED }, (_, i) => ({
    url: `http://user:word@localhost:8${i % 2}/${i}`,
  }));
  const list = [
    { url: 'root://host:1094//two.root' },
    { name: 'one.root' },
    { url: 'http://localhost:80/x' },
  ];
  const files = [...local, { list }, { url: 'https://only.views/x.root', open: false }];
  expect(opensOf({ files })).toEqual({
    files: MAX_UNASKED + 3,
    servers: [
      { server: 'localhost:80', files: 11 },
      { server: 'localhost:81', files: 10 },
      { server: 'host:1094', files: 1 },
      { server: 'this machine', files: 1 },
    ],
  });
});
