import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { cppText, quotedText, shellWord } from '../../web/base/literal';
import { lacks } from '../needs';
import { oraclePython } from '../oracle';

/** Texts that a file may hold as a name, and that end a string, hide what follows, or divide the line. */
const texts = [
  'Muon_pt',
  '',
  'a "quoted" \\ name',
  'x??/");owned();//',
  '???/??=??(',
  'one\ntwo\r\nthree\tfour',
  'bell\u0007 nul\u00001 escape\u001b[2J delete\u007f c1\u009b0m',
  'left\u202eright\u2066 marks\u200f\u2028\u2029',
  "it's $(id) `id` $HOME %s !x",
  '-rf',
  'p_T [GeV/c²] 数 🜚',
];

const one = <T>(make: (folder: string) => T): T => {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-literal-'));
  try {
    return make(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

test('JavaScript reads back each text, and no line has a character that hides something', () => {
  for (const text of texts) {
    expect(runInNewContext(quotedText(text))).toBe(text);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
    expect(quotedText(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066]/);
  }
});

test.skipIf(lacks('a Python with ROOT, uproot and pyarrow', oraclePython !== undefined))(
  'Python reads back each text',
  () => {
    const program = `import json; print(json.dumps([${texts.map(quotedText).join(', ')}]))`;
    expect(JSON.parse(execFileSync(oraclePython ?? '', ['-c', program], { encoding: 'utf8' }))).toEqual(
      texts,
    );
  },
);

test.each(['c++11', 'c++14', 'c++17'])('%s reads back each text, trigraphs and all', (standard) => {
  const lines = texts.map((text) => `  put(${cppText(text)}, sizeof ${cppText(text)} - 1);`);
  const printed = one((folder) => {
    const source = join(folder, 'texts.cc');
    const put =
      'void put(const char *t, unsigned n) { for (unsigned i = 0; i < n; i++) printf("%02x", t[i] & 255); puts(""); }';
    writeFileSync(source, `#include <cstdio>\n${put}\nint main() {\n${lines.join('\n')}\n}\n`);
    execFileSync('clang++', [`-std=${standard}`, '-w', source, '-o', join(folder, 'texts')]);
    return execFileSync(join(folder, 'texts'), { encoding: 'utf8' });
  });
  expect(printed.split('\n').slice(0, -1)).toEqual(texts.map((text) => Buffer.from(text).toString('hex')));
});

test('a shell reads back each text as one word', () => {
  for (const text of texts.filter((text) => !text.includes('\0'))) {
    expect(execFileSync('bash', ['-c', `printf %s. ${shellWord(text)}`], { encoding: 'utf8' })).toBe(
      `${text}.`,
    );
    expect(shellWord(text)).not.toMatch(/^-/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be pasted
    expect(shellWord(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066]/);
  }
});
