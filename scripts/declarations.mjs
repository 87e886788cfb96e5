// The declarations of the package: of what the compiler writes, only what its entries lead to.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseAst } from 'vite';

/** @typedef {any} Node a node of the syntax tree, as ESTree describes it */
/** @typedef {{ text: string, body: Node[], kept: Set<Node>, names: Map<Node, Set<string>> }} File */

/** @param {Node} node */
const nameOf = (node) => node.name ?? node.value;

/** The names that a statement declares. @param {Node} statement @returns {string[]} */
function declaredBy(statement) {
  const declaration = statement.declaration ?? statement;
  if (declaration.declarations) return declaration.declarations.map((/** @type {Node} */ one) => one.id.name);
  return typeof declaration.id?.name === 'string' ? [declaration.id.name] : [];
}

/** Walks declarations from name to name. */
class Reachable {
  /** @type {Map<string, File>} by path */
  files = new Map();

  /** @param {string} path @returns {Promise<File>} */
  async open(path) {
    let file = this.files.get(path);
    if (file === undefined) {
      const text = await readFile(path, 'utf8');
      const body = /** @type {Node[]} */ (parseAst(text, { lang: 'dts' }, path).body);
      file = { text, body, kept: new Set(), names: new Map() };
      this.files.set(path, file);
      // Declarations for other modules, and for all, hold wherever the file is read.
      for (const statement of body)
        if (/^declare (module|global)\b/.test(sourceOf(file, statement))) await this.#keep(path, statement);
    }
    return file;
  }

  /** Keeps all that a file exports. @param {string} path */
  async keepAll(path) {
    const { body } = await this.open(path);
    for (const statement of body) if (/^Export/.test(statement.type)) await this.#keep(path, statement);
  }

  /** Keeps what a file exports under a name. @param {string} path @param {string} name */
  async #keepExport(path, name) {
    const { body } = await this.open(path);
    for (const statement of body) {
      const isNamed = (/** @type {Node} */ one) => one.exported && nameOf(one.exported) === name;
      if (statement.type === 'ExportAllDeclaration') await this.#keepFrom(path, statement, name);
      else if (statement.specifiers?.some(isNamed))
        await this.#keepSpecifier(path, statement, statement.specifiers.find(isNamed));
    }
    await this.#keepLocal(path, name);
  }

  /** @param {string} path @param {Node} statement `export *` @param {string} name */
  async #keepFrom(path, statement, name) {
    const other = targetOf(path, statement);
    if (other === undefined || !(await this.#has(other, name))) return;
    (await this.open(path)).kept.add(statement);
    await this.#keepExport(other, name);
  }

  /** @param {string} path @param {string} name @returns {Promise<boolean>} */
  async #has(path, name) {
    for (const statement of (await this.open(path)).body) {
      if (declaredBy(statement).includes(name)) return true;
      if (
        statement.specifiers?.some((/** @type {Node} */ one) => one.exported && nameOf(one.exported) === name)
      )
        return true;
      const other = statement.type === 'ExportAllDeclaration' ? targetOf(path, statement) : undefined;
      if (other !== undefined && (await this.#has(other, name))) return true;
    }
    return false;
  }

  /** Keeps what a name means within a file. @param {string} path @param {string} name */
  async #keepLocal(path, name) {
    const { body } = await this.open(path);
    for (const statement of body) {
      if (declaredBy(statement).includes(name)) await this.#keep(path, statement);
      if (statement.type !== 'ImportDeclaration') continue;
      const found = statement.specifiers.find((/** @type {Node} */ one) => one.local.name === name);
      if (found) await this.#keepSpecifier(path, statement, found);
    }
  }

  /** @param {string} path @param {Node} statement @param {Node} specifier of an import or an export */
  async #keepSpecifier(path, statement, specifier) {
    const file = await this.open(path);
    const names = file.names.get(statement) ?? new Set();
    const name = nameOf(specifier.local);
    if (names.has(name)) return;
    file.names.set(statement, names.add(name));
    file.kept.add(statement);
    const other = targetOf(path, statement);
    const there = specifier.imported ?? (statement.source ? specifier.local : undefined);
    if (there === undefined) await this.#keepLocal(path, name);
    else if (other === undefined) return;
    else if (specifier.type === 'ImportNamespaceSpecifier') await this.keepAll(other);
    else await this.#keepExport(other, nameOf(there));
  }

  /** @param {string} path @param {Node} statement */
  async #keep(path, statement) {
    const file = await this.open(path);
    if (statement.specifiers?.length > 0) {
      for (const one of statement.specifiers) await this.#keepSpecifier(path, statement, one);
      return;
    }
    if (file.kept.has(statement)) return;
    file.kept.add(statement);
    const other = targetOf(path, statement);
    if (other !== undefined) return this.keepAll(other);
    const code = sourceOf(file, statement).replace(/\/\*[\s\S]*?\*\//g, '');
    for (const [, from = '', name = ''] of code.matchAll(/import\(['"](\.[^'"]+)['"]\)(?:\.(\w+))?/g))
      await (name === ''
        ? this.keepAll(declarationOf(path, from))
        : this.#keepExport(declarationOf(path, from), name));
    for (const name of new Set(code.match(/[\w$]+/g))) await this.#keepLocal(path, name);
  }
}

/** @param {File} file @param {Node} statement */
const sourceOf = ({ text }, statement) => text.slice(statement.start, statement.end);

/** @param {string} path @param {string} name */
const declarationOf = (path, name) => resolve(dirname(path), name.replace(/\.js$/, '.d.ts'));

/** The file of the tree that a statement imports from. @param {string} path @param {Node} statement */
function targetOf(path, statement) {
  const name = statement.source?.value;
  return typeof name === 'string' && name.startsWith('.') ? declarationOf(path, name) : undefined;
}

/** The text of what is kept, each statement with the comment before it. @param {File} file */
function textOf(file) {
  const parts = [];
  let end = 0;
  for (const statement of file.body) {
    const before = file.text.slice(end, statement.start);
    end = statement.end;
    if (!file.kept.has(statement)) continue;
    const names = file.names.get(statement);
    const code = sourceOf(file, statement);
    const specifiers = statement.specifiers ?? [];
    const used = specifiers.filter((/** @type {Node} */ one) => names?.has(nameOf(one.local)));
    const list = used.map((/** @type {Node} */ one) => file.text.slice(one.start, one.end)).join(', ');
    parts.push(
      before.trimStart(),
      used.length < specifiers.length ? code.replace(/\{.*\}/s, `{ ${list} }`) : code,
      '\n',
    );
  }
  return parts.join('');
}

/**
 * Leaves in a folder of declarations only those that its entries lead to, name by name.
 * @param {string} folder @param {readonly string[]} entries
 */
export async function keepDeclared(folder, entries) {
  const reachable = new Reachable();
  for (const entry of entries) await reachable.keepAll(join(folder, entry));
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const file = reachable.files.get(path);
    const text = file && textOf(file);
    if (text) await writeFile(path, text);
    else await rm(path);
  }
}
