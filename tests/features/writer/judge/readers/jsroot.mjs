// Reads a file with JSROOT: node jsroot.mjs FILE; prints a JSON object, from "TREE BRANCH" to a digest of all values.
import { createHash } from 'node:crypto';

/** JSROOT has no types. @param {string} name @returns {Promise<any>} */
const load = (name) => import(name);
const { openFile } = await load('jsroot/io');
const { TSelector, treeProcess } = await load('jsroot/tree');

/** @param {string} _key @param {unknown} value */
const plain = (_key, value) =>
  typeof value === 'bigint' || Number.isNaN(value) || Math.abs(Number(value)) === Infinity
    ? String(value)
    : value;

class Digest extends TSelector {
  hash = createHash('sha1');
  entries = 0;

  /** @param {any} branch */
  constructor(branch) {
    super();
    this.addBranch(branch, 'value');
  }

  /** Called by JSROOT for each entry. */
  Process() {
    this.hash.update(`${JSON.stringify(this.tgtobj.value, plain)}\n`);
    this.entries++;
  }
}

/** @param {any} folder @param {string} path @param {Record<string, string>} digests */
async function digestAll(folder, path, digests) {
  const newest = new Map();
  for (const key of folder.fKeys) {
    const known = newest.get(key.fName);
    if (known === undefined || key.fCycle > known.fCycle) newest.set(key.fName, key);
  }
  for (const { fName, fClassName } of newest.values()) {
    if (fClassName === 'TDirectory' || fClassName === 'TDirectoryFile') {
      await digestAll(await folder.readDir(fName), `${path}${fName}/`, digests);
    } else if (fClassName === 'TTree' || fClassName === 'TNtuple') {
      const tree = await folder.readObject(fName);
      for (const branch of tree.fBranches.arr) {
        const selector = new Digest(branch);
        try {
          await treeProcess(tree, selector, {});
        } catch {
          continue;
        }
        digests[`${path}${fName} ${branch.fName}`] = `${selector.entries} ${selector.hash.digest('hex')}`;
      }
    }
  }
}

/** @type {Record<string, string>} */
const digests = {};
console.warn = console.error = console.log = () => undefined;
await digestAll(await openFile(process.argv[2] ?? ''), '', digests);
process.stdout.write(JSON.stringify(digests), () => process.exit(0));
