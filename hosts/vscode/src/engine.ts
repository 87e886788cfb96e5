import { spawn } from 'node:child_process';
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import type { WholeSource } from '../../../web/api/api';
import { printable } from '../../../web/base/text';
import type { ReaderChannel } from '../../../workers/json-channel';
import { nameOf, type Shown, wholeFile } from './editor';
import { FriendRule } from './friends';

/** Documents of addresses: xylem-address:/file.root?ADDRESS. */
export const ADDRESS_SCHEME = 'xylem-address';

type Library = typeof import('../../../web/node');
type Reader = Awaited<ReturnType<Library['openReader']>>;

/** The library and the command line beside the extension. They run on the machine of the files. */
export class Engine {
  readonly #folder: string;
  #library: Promise<Library> | undefined;
  #reader: Promise<Reader> | undefined;

  constructor(extension: vscode.Uri) {
    this.#folder = join(extension.fsPath, 'out/engine');
  }

  /**
   * A document as the reader here opens it. `start` starts the reader, and opens the file once, so that all that a view asks
   * for first is compiled and in memory. Throws the errors of reading files that are no files of this machine.
   */
  async open(uri: vscode.Uri): Promise<Shown> {
    const source = await sourceOf(uri);
    const name = nameOf(uri);
    const friends = new FriendRule(uri.fsPath, workspaceFolders, (path) => askForFriend(name, path));
    return {
      kind: 'served',
      start: () => {
        this.#start()
          .then(([, reader]) => warm(reader, source))
          .catch(() => {});
      },
      serve: async (channel: ReaderChannel) => {
        const [{ serveReader, XylemError }, reader] = await this.#start();
        return serveReader(channel, reader, async (address, beside) => {
          if (beside === undefined) return address === name ? source : undefined;
          if (beside.kind !== 'path' || !isAbsolute(address)) return undefined;
          const path = await friends.allowed(address);
          if (path !== undefined) return { kind: 'path', path };
          throw new XylemError({
            code: 'ARGUMENT',
            message: `"${address}", which ${name} names as the file of a friend, lies outside of its folder and of the workspace, and was not read.`,
            fix: 'Open the file again to be asked again, or add the folder of the friend to the workspace.',
          });
        });
      },
    };
  }

  async #start(): Promise<[Library, Reader]> {
    const library = await this.#load();
    this.#reader ??= library.openReader({ cache: true });
    return [library, await this.#reader];
  }

  /**
   * Runs a command of xylem in a process of its own, and returns its exit status and output. Cancelling ends it; what it
   * was writing is removed.
   */
  async command(
    args: readonly string[],
    cancelled?: vscode.CancellationToken,
  ): Promise<{ status: number | null; out: string; err: string }> {
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
    const child = spawn(process.execPath, [join(this.#folder, 'cli/xylem.js'), ...args], { env });
    const stop = cancelled?.onCancellationRequested(() => child.kill('SIGTERM'));
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (piece: Buffer) => out.push(piece));
    child.stderr.on('data', (piece: Buffer) => err.push(piece));
    return await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (status) => {
        stop?.dispose();
        resolve({ status, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() });
      });
    });
  }

  /** Returns the JSON of a command. Throws its message if it failed without JSON. */
  async json<T>(args: readonly string[]): Promise<T> {
    const [name = '', ...rest] = args;
    const { out, err } = await this.command([name, '--json', ...rest]);
    if (out.trim() === '') throw new Error(err.trim());
    const found = JSON.parse(out) as T & { error?: string };
    if (found.error !== undefined) throw new Error(found.error);
    return found;
  }

  end(): void {
    void this.#reader?.then((reader) => reader.terminate());
  }

  #load(): Promise<Library> {
    this.#library ??= import(/* @vite-ignore */ pathToFileURL(join(this.#folder, 'node.js')).href);
    return this.#library;
  }
}

/** Opens a file of this machine, and closes it. */
async function warm(reader: Reader, source: WholeSource): Promise<void> {
  if (source.kind === 'path') await reader.close((await reader.open(source)).id);
}

function workspaceFolders(): string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
}

async function askForFriend(name: string, path: string): Promise<boolean> {
  const yes = 'Read it';
  const detail = `It lies outside of the folder of ${name} and of the workspace. Its values are shown beside those of ${name}; nothing else gets them.`;
  // The file chose the path, and line ends in it would say something of their own.
  const text = `${name} names another file as the file of a friend: ${printable(path)}`;
  return (await vscode.window.showWarningMessage(text, { modal: true, detail }, yes)) === yes;
}

async function sourceOf(uri: vscode.Uri): Promise<WholeSource> {
  if (uri.scheme === ADDRESS_SCHEME) return { kind: 'url', url: uri.query };
  if (uri.scheme === 'file') return { kind: 'path', path: uri.fsPath };
  const bytes = await wholeFile(uri);
  return { kind: 'buffer', buffer: bytes.slice().buffer as ArrayBuffer, name: nameOf(uri) };
}

/** The document as the commands take it: a path, or an address. */
export function targetOf(uri: vscode.Uri): string {
  return uri.scheme === ADDRESS_SCHEME ? uri.query : uri.fsPath;
}

export function addressUri(url: string): vscode.Uri {
  const name = url.split(/[?#]/)[0]?.split('/').pop() || 'file';
  return vscode.Uri.from({
    scheme: ADDRESS_SCHEME,
    path: `/${name.endsWith('.root') ? name : `${name}.root`}`,
    query: url,
  });
}
