// One process of metadata.mjs: opens FILE, lists the branches of TREE, and prints what that took in all.
//   node metadata-read.mjs xylem|jsroot|none FILE TREE
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [which, file = '', tree = ''] = process.argv.slice(2);

/** @returns {Promise<number>} */
async function xylem() {
  const { openReader } = await import(pathToFileURL(resolve(import.meta.dirname, '../dist/node.js')).href);
  const reader = await openReader();
  const { id } = await reader.open({ kind: 'path', path: file });
  return (await reader.tree(id, tree)).branches.length;
}

/** @returns {Promise<number>} */
async function jsroot() {
  const io = await import(pathToFileURL(join(process.env.JSROOT ?? '', 'modules/io.mjs')).href);
  await import(pathToFileURL(join(process.env.JSROOT ?? '', 'modules/tree.mjs')).href);
  /** @param {any} list @returns {number} */
  const count = (list) =>
    list.arr.reduce((/** @type {number} */ n, /** @type {any} */ b) => n + 1 + count(b.fBranches), 0);
  return count((await (await io.openFile(file)).readObject(tree)).fBranches);
}

const branches = which === 'xylem' ? await xylem() : which === 'jsroot' ? await jsroot() : 0;
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
console.log(JSON.stringify({ branches, cpu_s: (userCPUTime + systemCPUTime) / 1e6, rss_mb: maxRSS / 1024 }));
process.exit(0);
