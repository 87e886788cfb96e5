import { expect, test } from 'vitest';
import { globMatcher, pathMatcher } from '../../web/base/glob';
import { nearest, notFound } from '../../web/base/suggest';
import { shortened } from '../../web/base/text';
import { OwnFiles } from '../../web/cli/own-files';
import { sourceOf, splitTree } from '../../web/cli/targets';
import { shownAddress } from '../../web/io/http/shown-url';
import { publicText } from '../../web/io/public-text';
import { storedAddress, storedText, unsignedQuery } from '../../web/io/signatures';
import { parseLayers } from '../../web/plot/layers/layer-spec';
import { parseExpression } from '../../web/query/language/parser';
import { filterTerms } from '../../web/ui/contents/rows';
import { addressOf, askedState } from '../../web/ui/state/address/page-url';
import { typedUrl } from '../../web/ui/state/address/typed-url';

// Patterns, lists, addresses and links come from others. What takes time in proportion to the square of their length
// takes minutes for these; what is linear takes milliseconds.

/** ms of CPU of this process: other processes do not count. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const LETTERS = 300_000;
const LIMIT = 5000;
const UNITS = [
  '[',
  '[!',
  '[a',
  '[a-',
  ']',
  '*',
  '?',
  '**/',
  '/',
  ',',
  '@',
  '#',
  '?#',
  '&',
  '=',
  '%',
  'a=b&',
  'x://',
  ' ',
];
const MORE = [
  '\\',
  '"',
  '{',
  '(',
  'a,',
  '://a@',
  '[]',
  '*a',
  '.',
  ':',
  ';',
  '1:',
  '-',
  '+',
  '&&',
  '\u{1f600}',
];
const texts = [...UNITS, ...MORE].map((unit) => [unit, unit.repeat(LETTERS / unit.length)] as const);

const attempt = (run: () => unknown): void => {
  try {
    run();
  } catch {
    // Refusing is right, too.
  }
};

const READERS: Record<string, (text: string) => unknown> = {
  'a pattern of names': (text) => globMatcher(text, true)('events'),
  'a pattern without sets': (text) => globMatcher(text)('events'),
  'a pattern of paths': (text) => pathMatcher(text)('a/b/c'),
  'a filter of contents': (text) => filterTerms(text).map(({ fits }) => fits('events')),
  'a name with a tree': (text) => [splitTree(text), splitTree(text, true), splitTree(`https://${text}`)],
  'a name that is not there': (text) => [
    nearest(text, ['events', 'runs']),
    notFound('tree', text, ['events']),
  ],
  'a message': (text) => [
    publicText(text),
    publicText(`x://h/${text}`),
    publicText(`x://h/?${text}`),
    shortened(text, 99),
  ],
  'an address': (text) =>
    [text, `https://h/${text}`, `https://h/a?${text}`, `https://${text}`].map((one) => [
      storedAddress(one),
      shownAddress(one),
    ]),
  'a query': (text) => unsignedQuery(new URL(`https://h/a?${text}`)),
  'a link': (text) => askedState({ search: `?url=${text}&${text}`, hash: `#?items=${text}` }),
  'a state': (text) => [storedText(text), addressOf({ url: text, also: text, layers: text })],
  'a typed address': (text) => typedUrl(text, 'https://h/'),
  layers: (text) => parseLayers(text),
  'an expression': (text) => parseExpression(text),
};

test.each(Object.keys(READERS))(
  '%s of 300,000 letters is read in proportion to its length',
  { timeout: 60_000 },
  (name) => {
    for (const [unit, text] of texts) {
      const began = cpuTime();
      attempt(() => READERS[name]?.(text));
      expect(cpuTime() - began, `${unit} repeated`).toBeLessThan(LIMIT);
    }
  },
);

test('a file of 300,000 letters is looked for in proportion to its length', { timeout: 60_000 }, async () => {
  for (const [unit, text] of texts) {
    const began = cpuTime();
    for (const name of [
      text.replace(/^[@/.]/, 'b'),
      `b/${text}*`,
      `${text.replaceAll(unit, `${unit}/`).slice(0, LETTERS)}?`,
    ])
      await sourceOf(name.replace(/^@/, 'b'), {}, new OwnFiles({ ms: 100 })).catch(() => {});
    expect(cpuTime() - began, `${unit} repeated`).toBeLessThan(4 * LIMIT);
  }
});
