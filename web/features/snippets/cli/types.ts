import { mkdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { ClassInfo, MemberInfo } from '../../../api/api';
import { ioError } from '../../../base/io-error';
import { optional, TEXT } from '../../../base/shape';
import { notFound } from '../../../base/suggest';
import { UsageError } from '../../../cli/arguments';
import { command } from '../../../cli/command';
import { type Context, withFile, writeText } from '../../../cli/context';
import { commonOptions, FILE_TEXT, flag, valued } from '../../../cli/options';
import { right, tableLines } from '../../../cli/terminal/table';
import { commandTool } from '../../../cli/tool';
import { treeOf } from '../../../verbs/trees';
import { withNeeded } from '../work/cpp-type';
import { typescriptTypes } from '../work/types-typescript';

export const types = command({
  usage: ['FILE [CLASS]', 'FILE [TREE] --selector'],
  about: `Lists the classes that the file's streamer infos describe, or the members of one: CLASS, or
CLASS;VERSION where there are several. With --selector writes a first selector for a tree, which runs as it is by
"xylem process": see docs/features/selectors.md. ${FILE_TEXT}`,
  examples: [
    ['sample.root', 'the classes that a file describes'],
    ['sample.root TH1F', 'the members of a class'],
  ],
  options: {
    ts: flag(
      'TypeScript types of what "xylem object --json" and the library give, of CLASS with all that it is made ' +
        'of, or of all classes',
    ),
    cpp: valued(
      'FOLDER',
      'write these classes as C++ into FOLDER: a header, LinkDef.h and CMakeLists.txt, which build into a library with ' +
        "which ROOT reads the file's objects, as TFile::MakeProject writes them",
    ),
    selector: flag(
      'a selector in TypeScript with the types of all branches of TREE; Node 22.18 and later run it',
    ),
    js: flag('with --selector: in JavaScript, with the types in comments'),
    ...commonOptions,
  },
  json: `{"classes": [{"name", "version", "checksum", "elements": [{"name", "title", "typeName", "type",
"dimensions", "counter", "base", "baseVersion"}, …]}, …]}
type is ROOT's TStreamerElement::fType; counter names the member that says how long an array is.`,
  tool: commandTool({
    title: 'Classes of a ROOT file',
    description:
      'The classes that the streamer infos of a file describe; with a class its members, their types and comments. Reads metadata only.',
    params: { class: optional(TEXT, 'CLASS', 'Name of a class, or "name;version".') },
    line: ({ class: name }, { file }) => ({ words: name === undefined ? [file] : [file, name] }),
  }),
  async run(values, [file = '', name], context) {
    const forms = [values.ts, values.cpp, values.selector, values.json].filter(Boolean).length;
    if (forms > 1) throw new UsageError('Choose one of --ts, --cpp, --selector and --json.');
    if (values.js && !values.selector) throw new UsageError('--js goes with --selector.');
    return await withFile(file, values, context, async (open) => {
      const { reader, info } = open;
      if (values.selector) {
        const { selectorText } = await import('../work/selector-text');
        const { info: tree } = await open.tree(await treeOf(open, name));
        context.out.put(await selectorText(reader, info.id, tree, { language: values.js ? 'js' : 'ts' }));
        return 0;
      }
      const all = await reader.types(info.id);
      const chosen = name === undefined ? all : chooseClass(all, name);
      const needed = (): ClassInfo[] => (name === undefined ? all : withNeeded(all, chosen));
      if (values.ts) context.out.put(typescriptTypes(needed()));
      else if (values.cpp !== undefined) await putProject(values.cpp, needed(), context);
      else if (values.json) await putJson(chosen, context);
      else if (name === undefined) putList(all, context);
      else putMembers(chosen, context);
      return 0;
    });
  },
});

/** Writes a folder that builds. The library has its name, as far as C++ takes that. */
async function putProject(folder: string, classes: ClassInfo[], context: Context): Promise<void> {
  const { cppProject } = await import('../work/types-cpp');
  const path = resolve(folder);
  await mkdir(path, { recursive: true }).catch((thrown: unknown) => {
    throw ioError(`The folder "${folder}" cannot be made`, thrown, folder);
  });
  const name = basename(path)
    .replace(/\W+/g, '_')
    .replace(/^(?![A-Za-z])/, 'lib_');
  for (const [file, text] of cppProject(classes, name)) {
    const out = join(path, file);
    await context.files.addOutput(out, { word: '--cpp', replaces: 'others' });
    await writeText(out, text, context);
  }
}

/** Returns all versions of a class, or the one of "name;version". Throws NOT_FOUND. */
function chooseClass(all: ClassInfo[], name: string): ClassInfo[] {
  const match = /^(.*);(-?\d+)$/s.exec(name);
  const exact = all.filter((one) => one.name === name);
  const found =
    exact.length > 0 || !match
      ? exact
      : all.filter((one) => one.name === match[1] && one.version === Number(match[2]));
  if (found.length > 0) return found;
  const there = [...new Set(all.map((one) => one.name))];
  throw notFound('class', name, there);
}

async function putJson(classes: ClassInfo[], { out }: Context): Promise<void> {
  out.put('{"classes": [');
  for (const [i, one] of classes.entries()) {
    out.put(`${i > 0 ? ',' : ''}\n${JSON.stringify(one)}`);
    await out.drain();
  }
  out.line(']}');
}

function putList(classes: ClassInfo[], { out }: Context): void {
  const rows = classes.map((one) => [
    String(one.version),
    checksumText(one),
    String(one.elements.length),
    one.name,
  ]);
  const columns = [right('Version'), 'Checksum', right('Members'), 'Class'] as const;
  for (const line of tableLines(columns, rows)) out.line(line);
}

function putMembers(classes: ClassInfo[], { out }: Context): void {
  const columns = ['Member', 'Type', { rest: 'Comment' }];
  for (const [i, one] of classes.entries()) {
    if (i > 0) out.line();
    const [title = ''] = tableLines([''], [[one.name]]).slice(1);
    out.line(`${title}, version ${one.version}, checksum ${checksumText(one)}`);
    out.line();
    const rows = one.elements.map((element) => [element.name, typeText(element), element.title]);
    for (const line of tableLines(columns, rows, out.columns)) out.line(line);
  }
}

function checksumText(one: ClassInfo): string {
  return `0x${one.checksum.toString(16).padStart(8, '0')}`;
}

function typeText({ base, baseVersion, typeName, dimensions }: MemberInfo): string {
  if (base) return baseVersion === undefined ? 'base class' : `base class, version ${baseVersion}`;
  return typeName + dimensions.map((size) => `[${size}]`).join('');
}
