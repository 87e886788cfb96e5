import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settle } from '../../web/base/abort';
import { Core } from '../../web/core/core';
import { createBufferSource } from '../../web/io/buffer-source';
import { createExtentBudget } from '../../web/io/extents';
import { createByteReader } from '../../web/io/fetch/reader';
import { RootFile } from '../../web/model/root-file';
import { compile, isString } from '../../web/query/compile/compile';
import { plainBranch } from '../../web/query/compile/plain-branch';
import { Scopes } from '../../web/query/compile/scopes';
import { UnknownObjects } from '../../web/query/compile/shapes';

const compiled = WebAssembly.compile(readFileSync('build/xylem.wasm'));
const folders = ['tests/query/files', 'tests/fixtures/files'];
const files = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.root'))
    .map((name) => `${folder}/${name}`),
);

/** Numbers of branches that were compared, to know that the test compares something. */
const seen = { plain: 0, integer: 0, real: 0, string: 0, other: 0 };

// A drawing of a branch asks `plainBranch` first and does not compile then. Both have to say the same of every branch.
test.each(files)('the branches of %s are plain exactly if the compiler finds them so', async (path) => {
  const core = await Core.create(await compiled);
  const source = createBufferSource(new Uint8Array(readFileSync(path)).buffer, path);
  const opened = await settle(
    RootFile.open(core, createByteReader(source, { budget: createExtentBudget(0) })),
  );
  if (!opened.ok) return;
  const file = opened.value;
  for (const key of (await file.keys()).filter(({ kind }) => kind === 'tree' || kind === 'ntuple')) {
    const tree = await settle(file.tree(key.path));
    if (!tree.ok) continue;
    const model = tree.value;
    const scopes = new Scopes(model);
    for (const branch of model.info.branches) {
      const expression = { text: branch.path, branch: branch.index };
      const found = plainBranch(model, branch);
      let isText = false;
      let slow: ReturnType<typeof compile> | undefined;
      try {
        isText = isString(scopes, expression);
        slow = compile(scopes, [expression], undefined, isText ? 'weighed' : 'fill');
      } catch (thrown) {
        if (thrown instanceof UnknownObjects) continue;
      }
      const [output] = slow?.outputs ?? [];
      expect(found?.branch, branch.path).toBe(slow?.plain);
      if (!found || found.integer === undefined) {
        seen.other += 1;
        continue;
      }
      expect(found.integer, branch.path).toBe(output?.integer);
      expect(found.branch.kind === 'string', branch.path).toBe(isText);
      expect(slow, branch.path).toMatchObject({ placed: false, random: false });
      seen.plain += 1;
      seen[isText ? 'string' : found.integer ? 'integer' : 'real'] += 1;
    }
  }
  await file.close();
});

test('there are branches of all kinds among them', () => {
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(20);
});
