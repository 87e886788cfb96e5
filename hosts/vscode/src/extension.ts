import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { offeredFormats } from '../../../web/export/formats';
import { VIEWS } from '../../../web/ui/state/views';
import { Contents } from './contents';
import { leave, nameOf, rootEditor, showState, VIEW_TYPE } from './editor';
import { addressUri, Engine, targetOf } from './engine';
import { checkProblems, doctorProblems } from './problems';

export function activate(context: vscode.ExtensionContext): void {
  const engine = new Engine(context.extensionUri);
  const contents = new Contents(engine);
  const problems = vscode.languages.createDiagnosticCollection('xylem');
  const output = vscode.window.createOutputChannel('xylem');
  let shown: vscode.Uri | undefined;
  const editor = rootEditor(
    context.extensionUri,
    (uri) => engine.open(uri),
    (uri) => {
      shown = uri;
      contents.show(uri);
    },
  );

  /** The file of a menu, the shown one, or one that is asked for. */
  const chosen = async (uri: vscode.Uri | undefined): Promise<vscode.Uri | undefined> =>
    uri ?? shown ?? (await ask('Choose a ROOT file'))?.[0];

  /** Files that are marked in the explorer; else the shown one and those that are chosen, of which some dialogs take one. */
  const chosenToMerge = async (marked: vscode.Uri[]): Promise<vscode.Uri[] | undefined> => {
    if (marked.length > 1) return marked;
    const others = await ask('Choose the files to merge', true);
    if (others === undefined || others.length > 1 || shown === undefined) return others;
    return [shown, ...others];
  };

  /** Runs a command of xylem with progress. */
  const told = (title: string, args: string[]) =>
    vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (_, cancelled) => engine.command(args, cancelled),
    );

  /** The same for what writes a file; the output stands in the channel "xylem". Returns whether it did. */
  const run = async (title: string, args: string[]): Promise<boolean> => {
    const { status, out, err } = await told(title, args);
    output.appendLine(`> xylem ${args.join(' ')}\n${out}${err}`);
    if (status === 0) return true;
    output.show(true);
    const [why] = err.trim().split('\n');
    if (why) void vscode.window.showErrorMessage(`${title}: ${why}`);
    return false;
  };

  const writes = async (verb: string, file: vscode.Uri, more: string[] = []): Promise<void> => {
    const to = await vscode.window.showSaveDialog({
      defaultUri: vscode.Uri.file(join(folderOf(file), `${verb}-${nameOf(file)}`)),
      filters: { 'ROOT files': ['root'] },
    });
    if (to === undefined) return;
    // The dialog asked whether a file of the name is to be replaced.
    if (await run(`xylem ${verb}`, [verb, '--force', ...more, '--', targetOf(file), to.fsPath]))
      await show(to);
  };

  const commands: Record<string, (file: vscode.Uri) => Promise<unknown>> = {
    async doctor(file) {
      const report = await engine.json<Parameters<typeof doctorProblems>[0]>([
        'doctor',
        '--',
        targetOf(file),
      ]);
      problems.set(file, doctorProblems(report));
      await vscode.window.showInformationMessage(
        `${nameOf(file)}: ${report.grade}, ${report.findings.length} findings.`,
      );
    },
    async check(file) {
      const report = await engine.json<Parameters<typeof checkProblems>[0]>(['check', '--', targetOf(file)]);
      const found = checkProblems(report);
      problems.set(file, found);
      await vscode.window.showInformationMessage(
        `${nameOf(file)}: ${found.length === 0 ? 'sound' : `${found.length} findings`}.`,
      );
    },
    async compare(file) {
      const [other] = (await ask(`Compare ${nameOf(file)} with`)) ?? [];
      if (other === undefined) return;
      const { out, err } = await told('xylem diff', ['diff', '--', targetOf(file), other.fsPath]);
      if (out === '') throw new Error(err.trim());
      const report = await vscode.workspace.openTextDocument({
        content: `${nameOf(file)} -> ${nameOf(other)}\n\n${out}`,
      });
      await vscode.window.showTextDocument(report, { preview: false });
    },
    heal: (file) => writes('heal', file),
    async skim(file) {
      const branches = await vscode.window.showInputBox({
        title: 'Skim: which branches?',
        prompt: 'Names with commas between them, * and ? allowed. Empty: all.',
      });
      if (branches === undefined) return;
      const cut = await vscode.window.showInputBox({
        title: 'Skim: which entries?',
        prompt: 'A cut as TTree::Draw takes it. Empty: all.',
      });
      if (cut === undefined) return;
      await writes('skim', file, [
        ...(branches === '' ? [] : [`--branches=${branches}`]),
        ...(cut === '' ? [] : [`--cut=${cut}`]),
      ]);
    },
    async view(file) {
      const items = Object.entries(VIEWS)
        .filter(([, { chain, selectors }]) => !chain && !selectors)
        .map(([view, { label, words, on }]) => ({ view, label, description: words, on }));
      const options = { title: `Show which view of ${nameOf(file)}?`, matchOnDescription: true };
      const picked = await vscode.window.showQuickPick(items, options);
      if (picked === undefined) return;
      const tree = picked.on.includes('file') ? '' : await chosenTree(file);
      if (tree !== undefined) await showState(file, { view: picked.view, ...(tree !== '' && { tree }) });
    },
    async export(file) {
      const tree = await chosenTree(file);
      if (tree === undefined) return;
      const to = await vscode.window.showSaveDialog({
        defaultUri: vscode.Uri.file(join(folderOf(file), `${tree.split('/').pop()}.parquet`)),
        // The first is the one that dialogs add.
        filters: { Tables: [...new Set(['parquet', ...offeredFormats().map(({ name }) => name)])] },
      });
      if (to)
        await run('xylem export', ['export', `--out=${to.fsPath}`, '--force', '--', targetOf(file), tree]);
    },
  };

  /** The only tree of a file, or the one that is chosen. */
  const chosenTree = async (file: vscode.Uri): Promise<string | undefined> => {
    const listed = ['ls', '--', targetOf(file)];
    const { keys } = await engine.json<{ keys: { path: string; kind: string }[] }>(listed);
    const trees = keys.filter(({ kind }) => kind === 'tree' || kind === 'ntuple');
    const names = [...new Set(trees.map(({ path }) => path))];
    return names.length === 1 ? names[0] : await vscode.window.showQuickPick(names, { title: 'Which tree?' });
  };

  const folderOf = (file: vscode.Uri): string =>
    file.scheme === 'file'
      ? dirname(file.fsPath)
      : (vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? process.cwd());

  for (const [name, call] of Object.entries(commands)) {
    const guarded = async (uri?: vscode.Uri) => {
      const file = await chosen(uri);
      if (file) await call(file).catch((thrown: Error) => vscode.window.showErrorMessage(thrown.message));
    };
    context.subscriptions.push(vscode.commands.registerCommand(`xylem.${name}`, guarded));
  }
  context.subscriptions.push(
    ...[problems, output, { dispose: () => engine.end() }],
    vscode.window.registerTreeDataProvider('xylem.contents', contents),
    vscode.window.registerCustomEditorProvider(VIEW_TYPE, editor, {
      supportsMultipleEditorsPerDocument: true,
      webviewOptions: { retainContextWhenHidden: true },
    }),
    vscode.commands.registerCommand('xylem.merge', async (_?: vscode.Uri, marked?: vscode.Uri[]) => {
      const files = await chosenToMerge(marked ?? []);
      if (files === undefined) return;
      const defaultUri = vscode.Uri.file(join(folderOf(files[0] as vscode.Uri), 'merged.root'));
      const to = await vscode.window.showSaveDialog({ defaultUri, filters: { 'ROOT files': ['root'] } });
      if (to === undefined) return;
      const names = files.map(targetOf);
      if (await run('xylem merge', ['merge', '--force', '--', to.fsPath, ...names])) await show(to);
    }),
    vscode.commands.registerCommand('xylem.openAddress', async (given?: string) => {
      const prompt =
        'An http(s):// or a root:// address of a ROOT file; the machine of the workspace reads it.';
      const url = given ?? (await vscode.window.showInputBox({ title: 'Open an address', prompt }));
      if (url) await show(addressUri(url.trim()));
    }),
  );
}

/** Views whose reader ends say so, and wait for nothing. */
export function deactivate(): void {
  leave();
}

async function ask(title: string, many = false): Promise<vscode.Uri[] | undefined> {
  return await vscode.window.showOpenDialog({
    title,
    canSelectMany: many,
    filters: { 'ROOT files': ['root'] },
  });
}

async function show(uri: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('vscode.openWith', uri, VIEW_TYPE);
}
