// Needs features: mcp.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../web/cli/commands/list';

// Written by "npx vitest run tests/cli/json-docs.test.ts -u".
test('docs/json.md says what the commands say of their JSON', async () => {
  const shapes: string[] = [];
  for (const [name, { load }] of Object.entries(commands)) {
    const { json } = await load();
    if (json !== undefined) shapes.push(`## xylem ${name}\n\n\`\`\`text\nJSON: ${json}\n\`\`\`\n`);
  }
  const head = `# What \`--json\` prints

One value on stdout (of \`scan\` one a line). A failure before anything was printed is \`{"error": "message", "code", "fix",
"where"}\`, with exit status 1: \`code\` is one of the library's \`ErrorCode\`, \`fix\` says what to do, and \`where\` in which file,
at which byte or character; \`fix\` and \`where\` are left out where they are not known. Control characters that a name
may have (C0, DEL, C1, and those that turn the direction of text) are escaped. Any version may add members; a program ignores those that it does not know.
Before 1.0, a minor version may rename or remove a member or give it another meaning, and CHANGELOG.md says so; from 1.0
on only a major version may. 64-bit integers of a file are exact; figures that are computed of them are 64-bit floats. The types of reports are in the package: \`FileInfo\`, \`KeyInfo\`, \`TreeInfo\`,
\`Histogram\`, \`CheckReport\` and so on.
`;
  await expect([head, ...shapes].join('\n')).toMatchFileSnapshot('../../docs/json.md');
});

test('the help of a command has what docs/json.md says', async () => {
  for (const [name, { load }] of Object.entries(commands)) {
    const { json, help } = await load();
    if (json !== undefined) expect(help(name)).toContain(`JSON: ${json}`);
    else expect(['mcp', 'completion', 'worker']).toContain(name);
  }
});

test('each option of each command is named in a document', async () => {
  const pages = [
    'README.md',
    ...readdirSync(resolve('docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
  ];
  const prose = pages
    .filter((page) => page.endsWith('.md'))
    .map((page) => readFileSync(resolve(page), 'utf8'));
  const named = new Set(prose.join('\n').match(/--[a-z][a-z-]*/g));
  const missing: string[] = [];
  for (const [name, { load }] of Object.entries(commands))
    for (const option of Object.keys((await load()).options))
      if (!named.has(`--${option}`)) missing.push(`${name} --${option}`);
  expect(missing).toEqual([]);
});
