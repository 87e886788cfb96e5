import { expect, test } from 'vitest';
import { commandNames } from '../../web/cli/run';
import { createMockReader } from '../mock-reader';
import { run } from './support';

/** What a command's help says of its JSON, up to the exit status or the end. */
async function shapeOf(name: string): Promise<string> {
  const { out } = await run(createMockReader(), name, '--help');
  const own = out.search(/^(JSON\b|With --json)/m);
  const from = own >= 0 ? own : out.search(/^.*\bJSON\b(?! (?:instead|, with))/m);
  expect(from, `the help of ${name} tells of its JSON`).toBeGreaterThan(0);
  const text = out.slice(from).replace(/\n(Exit status:[\s\S]*)$/, '');
  return `## xylem ${name}\n\n\`\`\`text\n${text.trim()}\n\`\`\`\n`;
}

// Written by "npx vitest run tests/cli/json-docs.test.ts -u".
test('docs/json.md says what the commands say of their JSON', async () => {
  const shapes: string[] = [];
  for (const name of commandNames) shapes.push(await shapeOf(name));
  const head = `# What \`--json\` prints

One value on stdout. A failure before anything was printed is \`{"error": "message"}\`, with exit status 1. Members are
added, and never renamed or given another meaning, within a major version; a program ignores those that it does not
know. 64-bit integers are exact. The types of reports are in the package: \`FileInfo\`, \`KeyInfo\`, \`TreeInfo\`,
\`Histogram\`, \`CheckReport\` and so on.
`;
  await expect([head, ...shapes].join('\n')).toMatchFileSnapshot('../../docs/json.md');
});
