import * as vscode from 'vscode';
import type { BranchInfo, KeyInfo } from '../../../web/api/api';
import { type Engine, targetOf } from './engine';

/** A key, or a branch of a tree. */
interface Item {
  file: vscode.Uri;
  label: string;
  description: string;
  /** Path of a key that has more below it. */
  below?: string;
  key?: string;
  branch?: number;
}

/** The tree of contents of the shown file, in the side bar. */
export class Contents implements vscode.TreeDataProvider<Item> {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #branches = new Map<string, Promise<BranchInfo[]>>();
  #file: vscode.Uri | undefined;

  constructor(private readonly engine: Engine) {}

  show(file: vscode.Uri): void {
    if (file.toString() === this.#file?.toString()) return;
    this.#file = file;
    this.#branches.clear();
    void vscode.commands.executeCommand('setContext', 'xylem.open', true);
    this.#changed.fire(undefined);
  }

  getTreeItem({ label, description, below, key, branch }: Item): vscode.TreeItem {
    const { Collapsed, None } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(label, below === undefined ? None : Collapsed);
    item.description = description;
    item.tooltip = `${key ?? ''}${branch === undefined ? '' : ` ${label}`}: ${description}`;
    return item;
  }

  async getChildren(parent?: Item): Promise<Item[]> {
    const file = parent?.file ?? this.#file;
    if (file === undefined) return [];
    try {
      return parent?.branch === undefined && !this.#isTree(parent)
        ? await this.#keys(file, parent?.below ?? '')
        : await this.#branchesOf(file, parent?.key ?? '', parent?.branch ?? -1);
    } catch (thrown) {
      return [{ file, label: 'It cannot be read', description: String((thrown as Error).message) }];
    }
  }

  #isTree(item: Item | undefined): boolean {
    return item?.key !== undefined;
  }

  async #keys(file: vscode.Uri, folder: string): Promise<Item[]> {
    const { keys } = await this.engine.json<{ keys: KeyInfo[] }>(['ls', '--', targetOf(file)]);
    const inside = keys.filter(({ path, name }) => path === (folder === '' ? name : `${folder}/${name}`));
    return inside.map(({ path, name, cycle, className, kind, title }) => ({
      file,
      label: `${name};${cycle}`,
      description: title === '' ? className : `${className}: ${title}`,
      ...(kind === 'directory' && { below: path }),
      ...((kind === 'tree' || kind === 'ntuple') && { below: path, key: `${path};${cycle}` }),
    }));
  }

  async #branchesOf(file: vscode.Uri, key: string, parent: number): Promise<Item[]> {
    const known =
      this.#branches.get(key) ??
      this.engine
        .json<{ tree: { branches: BranchInfo[] } }>(['ls', '--', targetOf(file), key])
        .then(({ tree }) => tree.branches);
    this.#branches.set(key, known);
    const branches = await known;
    const parents = new Set(branches.map((branch) => branch.parent));
    return branches
      .filter((branch) => branch.parent === parent)
      .map(({ index, name, typeName }) => ({
        ...{ file, label: name, description: typeName, key, branch: index },
        ...(parents.has(index) && { below: name }),
      }));
  }
}
