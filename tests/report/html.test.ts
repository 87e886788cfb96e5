import { expect, test } from 'vitest';
import { reportHtml } from '../../web/report/html';
import { column } from '../../web/report/report';

/** A name as a file may have it: it would end the element, set a terminal's title, and turn the order of the text. */
const NAME = '</pre><script>\u0000\u001b]0;x\u0007\u0085\u200e\u202egnp.exe\u2066\u2028\n';

test('names in a report end no element, and turn no text', () => {
  const html = reportHtml(NAME, [
    {
      title: `part ${NAME}`,
      verdict: { grade: 'good', text: NAME },
      text: [NAME],
      facts: [{ label: NAME, value: NAME }],
      tables: [
        {
          id: 'all',
          title: NAME,
          columns: [column<string>('name', NAME, 'text', (name) => name)],
          rows: [NAME],
          hint: (name) => name,
        },
      ],
      parts: [{ title: NAME }],
      commands: [{ title: NAME, lines: ['first', `second ${NAME}`], file: NAME, note: NAME }],
      notes: [NAME],
    },
  ]);
  expect(html).not.toContain('<script');
  expect(html).toContain('<pre>first\nsecond &#60;/pre&#62;');
  expect([...html.matchAll(/[^\n\P{C}]|[\u2028\u2029]/gu)].map(([one]) => one.charCodeAt(0))).toEqual([]);
});
