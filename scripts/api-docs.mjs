// The reference of all public names (build/api), custom-elements.json, and the names that notebooks take, made of the
// declaration files in dist/types. The part "types" of the build writes them.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseAst } from 'vite';
import { root } from './run.mjs';

/** @typedef {{ name: string, file: string, comment: string, text: string, line: number }} Declaration */
/** @typedef {any} Node a node of the syntax tree, as ESTree describes it */

/** The entries of the package, and the page of each. What an earlier entry has is not listed again. */
const ENTRIES = [
  { file: 'web/public.d.ts', page: 'library.md', title: 'The library: in Node and in browsers' },
  { file: 'web/index.d.ts', page: 'browser.md', title: 'The library: in browsers only' },
  { file: 'web/node.d.ts', page: 'node.md', title: 'The library: in Node only' },
  { file: 'web/plot/public/plot-svg.d.ts', page: 'plot.md', title: 'Plots as SVG: `xylem/plot`' },
  { file: 'web/element/xylem-viewer.d.ts', page: 'element.md', title: 'The element `<xylem-viewer>`' },
];

/** The largest number of lines of a type among the small ones. */
const MAX_SMALL_LINES = 8;

const types = join(root, 'dist/types');

/** @type {Map<string, Promise<{ text: string, body: Node[] }>>} */
const parsed = new Map();

/** @param {string} file @returns {Promise<{ text: string, body: Node[] }>} */
function parse(file) {
  let result = parsed.get(file);
  if (result === undefined) {
    result = readFile(file, 'utf8').then((text) => ({
      text,
      body: /** @type {Node[]} */ (parseAst(text, { lang: 'dts' }, file).body),
    }));
    parsed.set(file, result);
  }
  return result;
}

/** @param {string} from @param {string} specifier */
const target = (from, specifier) => resolve(dirname(from), specifier.replace(/\.js$/, '.d.ts'));

/** @param {Node} node */
const nameOf = (node) => node.name ?? node.value;

/**
 * All names that a file exports, with their declarations.
 * @param {string} file
 * @returns {Promise<Map<string, Declaration[]>>}
 */
async function exportsOf(file) {
  const { text, body } = await parse(file);
  /** @type {Map<string, Declaration[]>} */
  const found = new Map();
  /** @param {string} name @param {Declaration[]} declarations */
  const add = (name, declarations) => found.set(name, [...(found.get(name) ?? []), ...declarations]);
  for (const statement of body) {
    if (statement.type === 'ExportAllDeclaration') {
      for (const [name, all] of await exportsOf(target(file, statement.source.value))) add(name, all);
    } else if (statement.type === 'ExportNamedDeclaration' && statement.declaration) {
      for (const name of declaredNames(statement.declaration))
        add(name, [declarationOf(name, statement, file, text, body)]);
    } else if (statement.type === 'ExportNamedDeclaration') {
      const from = statement.source ? target(file, statement.source.value) : file;
      for (const { local, exported } of statement.specifiers) {
        add(nameOf(exported), await declarationsOf(from, nameOf(local)));
      }
    }
  }
  return found;
}

/** @param {Node} declaration @returns {string[]} */
function declaredNames(declaration) {
  if (declaration.declarations) return declaration.declarations.map((/** @type {Node} */ one) => one.id.name);
  return declaration.id ? [declaration.id.name] : [];
}

/**
 * The declarations of a name in a file, wherever it comes from.
 * @param {string} file @param {string} name
 * @returns {Promise<Declaration[]>}
 */
async function declarationsOf(file, name) {
  const { text, body } = await parse(file);
  /** @type {Declaration[]} */
  const found = [];
  for (const statement of body) {
    const declaration = statement.declaration ?? statement;
    if (declaredNames(declaration).includes(name))
      found.push(declarationOf(name, statement, file, text, body));
    if (statement.type !== 'ImportDeclaration') continue;
    for (const { local, imported } of statement.specifiers) {
      if (local.name === name) return declarationsOf(target(file, statement.source.value), nameOf(imported));
    }
  }
  return found.length > 0 ? found : ((await exportsOf(file)).get(name) ?? []);
}

/**
 * @param {string} name @param {Node} statement @param {string} file @param {string} text
 * @param {Node[]} [body] all statements of the file
 * @returns {Declaration}
 */
function declarationOf(name, statement, file, text, body = []) {
  const before = text.slice(0, statement.start);
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(before)?.[1] ?? '';
  return {
    name,
    file,
    comment: comment.replace(/^\s*\* ?/gm, '').trim(),
    text: withNames(text.slice(statement.start, statement.end), body, text)
      .replace(/^export (declare )?/, '')
      .replaceAll('\r', ''),
    line: statement.start,
  };
}

/** The code of declarations. @param {Declaration[]} declarations */
const codeOf = (declarations) =>
  declarations.map(({ text }) => text.replace(/^ {4}/gm, '  ').replace(/^( +)/gm, narrower)).join('\n');

/**
 * An alias for the names in a constant of its file, which is not public itself, with these names.
 * @param {string} code @param {Node[]} body @param {string} text
 */
function withNames(code, body, text) {
  return code.replace(/keyof typeof (\w+)|\(typeof (\w+)\)\[number\]/, (whole, keys, list) => {
    const constants = body.flatMap((statement) => (statement.declaration ?? statement).declarations ?? []);
    const type = constants.find(({ id }) => id.name === (keys ?? list))?.id.typeAnnotation?.typeAnnotation;
    const names = keys
      ? type?.members?.map((/** @type {Node} */ { key }) => `'${nameOf(key)}'`)
      : type?.typeAnnotation?.elementTypes?.map((/** @type {Node} */ one) => text.slice(one.start, one.end));
    return names?.join(' | ').replaceAll('"', "'") ?? whole;
  });
}

/** @param {Declaration[]} declarations */
function section([first, ...rest]) {
  if (first === undefined) return '';
  const code = codeOf([first, ...rest]);
  return `## ${first.name}\n\n${first.comment === '' ? '' : `${first.comment}\n\n`}\`\`\`ts\n${code}\n\`\`\`\n`;
}

/** Types that have no section of their own: other names for types, and options of few members. @param {Declaration[]} declarations */
function isSmall(declarations) {
  return declarations.every(
    ({ text }) => /^(type|interface) /.test(text) && text.split('\n').length <= MAX_SMALL_LINES,
  );
}

/** @param {Declaration[]} declarations */
function smallSection(declarations) {
  const code = declarations.map((one) => {
    const lines = one.comment.split('\n');
    const comment =
      lines.length > 1
        ? `/**\n${lines.map((line) => ` * ${line}`).join('\n')}\n */`
        : `/** ${one.comment} */`;
    return `${one.comment === '' ? '' : `${comment}\n`}${codeOf([one])}`;
  });
  return `## Small types\n\n\`\`\`ts\n${code.join('\n')}\n\`\`\`\n`;
}

/** Declarations are indented by four spaces for each level. @param {string} spaces */
const narrower = (spaces) => (spaces.length % 4 === 0 ? ' '.repeat(spaces.length / 2) : spaces);

/** @returns {Promise<Map<string, string>>} the text of each file, by its path from the root */
export async function apiDocs() {
  /** @type {Map<string, string>} */
  const files = new Map();
  const seen = new Set();
  const index = [
    '# Public names',
    '',
    'Made of the declaration files by `node scripts/build.mjs types`. What they are for, with examples, is in',
    '[library.md](../../docs/library.md) and [embedding.md](../../docs/embedding.md).',
    '',
  ];
  for (const { file, page, title } of ENTRIES) {
    const names = await exportsOf(join(types, file));
    // The same name may be another function in Node than in browsers.
    const keyOf = (/** @type {string} */ name) => `${name} ${names.get(name)?.[0]?.file}`;
    const fresh = [...names].filter(([name]) => !seen.has(keyOf(name))).sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [name] of fresh) seen.add(keyOf(name));
    const large = fresh.filter(([, declarations]) => !isSmall(declarations));
    const sections = large.map(([, declarations]) => section(declarations));
    const small = fresh.filter(([, declarations]) => isSmall(declarations));
    if (small.length > 0) sections.push(smallSection(small.flatMap(([, declarations]) => declarations)));
    files.set(`build/api/${page}`, `# ${title}\n\n${sections.join('\n')}`);
    index.push(`## [${title}](${page})`, '', fresh.map(([name]) => `\`${name}\``).join(', '), '');
  }
  files.set('build/api/README.md', index.join('\n'));
  files.set('custom-elements.json', await customElements());
  const state = await stateNames(join(types, 'web/element/element-api.d.ts'));
  files.set('hosts/jupyter/src/xylem/state.json', `${JSON.stringify(state, undefined, 2)}\n`);
  return files;
}

/** The manifest of the element: https://github.com/webcomponents/custom-elements-manifest. */
async function customElements() {
  const file = join(types, 'web/element/element-api.d.ts');
  const [attributes, members, events] = await Promise.all(
    ['XylemViewerAttributes', 'XylemViewer', 'XylemViewerEvents'].map((name) => membersOf(file, name)),
  );
  const parts = new Set();
  const slots = new Set();
  for (const name of await readdir(join(root, 'web'), { recursive: true })) {
    if (!/^(ui|features)[\\/].*\.tsx$/.test(name)) continue;
    const source = await readFile(join(root, 'web', name), 'utf8');
    for (const [, part] of source.matchAll(/\bpart="([\w-]+)"/g)) parts.add(part);
    for (const [, slot] of source.matchAll(/<slot name="([\w-]+)"/g)) slots.add(slot);
  }
  /** @param {Set<string>} names */
  const named = (names) => [...names].sort().map((name) => ({ name }));
  const declaration = {
    kind: 'class',
    customElement: true,
    name: 'XylemViewer',
    tagName: 'xylem-viewer',
    description: 'Shows a ROOT file: its contents and plots. See docs/embedding.md.',
    superclass: { name: 'HTMLElement' },
    attributes: attributes?.map(({ name, description }) => ({
      name,
      ...(description && { description }),
      type: { text: 'string' },
      fieldName: name,
    })),
    members: [
      ...(attributes ?? [])
        .filter(({ name }) => !members?.some((member) => member.name === name))
        .map(({ name }) => ({ kind: 'field', name, type: { text: 'string' } })),
      ...(members ?? [])
        .filter(({ name }) => name !== 'addEventListener')
        .map(({ kind, name, type, description }) => ({
          kind,
          name,
          ...(description && { description }),
          ...(kind === 'field' && { type: { text: type } }),
        })),
    ],
    events: events?.map(({ name, type }) => ({ name, type: { text: type } })),
    slots: named(slots),
    cssParts: named(parts),
  };
  const manifest = {
    schemaVersion: '1.0.0',
    modules: [
      {
        kind: 'javascript-module',
        path: 'dist/xylem-viewer.js',
        declarations: [declaration],
        exports: [
          {
            kind: 'custom-element-definition',
            name: 'xylem-viewer',
            declaration: { name: 'XylemViewer', module: 'dist/xylem-viewer.js' },
          },
        ],
      },
    ],
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** @typedef {{ kind: string, name: string, type: string, description: string }} Member */

/**
 * @param {string} file @param {string} name
 * @returns {Promise<Member[]>} those of an interface, and of those that it extends
 */
async function membersOf(file, name) {
  const { text, body } = await parse(file);
  const found = body.find((statement) => declaredNames(statement.declaration ?? statement).includes(name));
  const declared = found.declaration ?? found;
  /** @type {Member[]} */
  const inherited = [];
  for (const { expression } of declared.extends ?? []) {
    const imported = body.find(({ specifiers }) =>
      specifiers?.some((/** @type {Node} */ { local }) => local?.name === expression.name),
    );
    if (imported?.source?.value.startsWith('.'))
      inherited.push(...(await membersOf(target(file, imported.source.value), expression.name)));
  }
  const members = /** @type {Node[]} */ (declared.body.body);
  const own = members.map((member) => ({
    kind: member.type === 'TSMethodSignature' ? 'method' : 'field',
    name: /** @type {string} */ (nameOf(member.key)),
    type: member.typeAnnotation
      ? text.slice(member.typeAnnotation.start, member.typeAnnotation.end).replace(/^:\s*/, '')
      : '',
    description: declarationOf('', member, file, text).comment.replaceAll('\n', ' '),
  }));
  return [...own, ...inherited];
}

/** The names of the state of a viewer, which `xylem.view` of notebooks takes. @param {string} file */
async function stateNames(file) {
  const { text, body } = await parse(file);
  const state = body.find((one) => declaredNames(one.declaration ?? one).includes('ViewerState'));
  const left = new Set(text.slice(state.start, state.end).match(/(?<=')\w+(?=')/g));
  const names = (await membersOf(file, 'XylemViewerAttributes')).map(({ name }) => name);
  return names.filter((name) => name !== 'src' && !left.has(name));
}

/** Writes the reference and the manifest. */
export async function writeApiDocs() {
  await rm(join(root, 'build/api'), { recursive: true, force: true });
  await mkdir(join(root, 'build/api'), { recursive: true });
  for (const [path, text] of await apiDocs()) await writeFile(join(root, path), text);
}
