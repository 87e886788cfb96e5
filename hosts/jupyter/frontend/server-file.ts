/** A file of the Jupyter server, as the element opens it. */
export interface ServerFile {
  source: string | File;
  headers: Record<string, string> | null;
  /** In place of "Nothing leaves your machine". */
  privacy: string;
}

/** The contents of the Jupyter server: the size of a file, and all of it where that is asked for. */
export interface Contents {
  getDownloadUrl(path: string): Promise<string>;
  get(path: string, options: object): Promise<{ size?: number | null; content: string | null }>;
}

/** The Jupyter server: its address, and the token that it knows the user by. */
export interface Server {
  baseUrl: string;
  token: string;
}

/** A file of which the server sends no parts is read whole up to this size. */
const MAX_WHOLE = 100_000_000;
/** The longest path: a link has the length of its path as its size, which says nothing of the file. */
const MAX_PATH = 4096;

/**
 * The file of a path, as it is read by parts, or whole. `ask` says why all of a file is to be read of which the size is not
 * known, and resolves when the person wants that. Throws Error for what is read in neither way.
 */
export async function serverFile(
  contents: Contents,
  path: string,
  server: Server,
  ask: (why: string) => Promise<void>,
): Promise<ServerFile> {
  const address = new URL(await contents.getDownloadUrl(path), document.baseURI);
  // Files that JupyterLite keeps in the browser.
  if (!address.protocol.startsWith('http')) {
    const blob = await (await fetch(address)).blob();
    return {
      source: new File([blob], nameOf(path)),
      headers: null,
      privacy: 'The file is kept in this browser',
    };
  }
  // It would stand in links; as a header it does not.
  address.searchParams.delete('_xsrf');
  // A drive may keep its files elsewhere, where the token of this server has no business: on a hub at the server of another user.
  const isOwn = address.href.startsWith(new URL(server.baseUrl, document.baseURI).href);
  const headers = isOwn ? serverHeaders(server.token) : {};
  const probe = await fetch(address, { headers: { ...headers, Range: 'bytes=0-0' } });
  await probe.body?.cancel();
  if (!probe.ok) return await wholeFile(contents, path, probe.status, ask);
  const privacy = `${isOwn ? 'The Jupyter server' : address.host} sends the parts that are looked at`;
  return { source: address.href, headers, privacy };
}

/** A file that the server lists, and sends no parts of. */
async function wholeFile(
  contents: Contents,
  path: string,
  status: number,
  ask: (why: string) => Promise<void>,
): Promise<ServerFile> {
  const { size } = await contents.get(path, { content: false });
  if (Number(size) <= MAX_PATH) await ask(refusal(path, status, 'It does not say how large such a file is.'));
  else if (Number(size) > MAX_WHOLE)
    throw new Error(
      refusal(path, status, `All ${Math.round(Number(size) / 1e6)} MB of it would have to be read.`),
    );
  const { content } = await contents.get(path, { type: 'file', format: 'base64', content: true });
  const bytes = await (await fetch(`data:application/octet-stream;base64,${content}`)).blob();
  return {
    source: new File([bytes], nameOf(path)),
    headers: null,
    privacy: 'The Jupyter server sent the file',
  };
}

/** Why the file is not read at once, and what to do in place of reading all of it. */
function refusal(path: string, status: number, size: string): string {
  return [
    `The Jupyter server sends no parts of ${nameOf(path)} (status ${status}), as of files behind a symbolic link that leads out of its folder. ${size}`,
    `In a notebook, xylem.view(${JSON.stringify(nameOf(path))}) shows it, which reads parts by the kernel. Or let the server follow links, with its folder in place of FOLDER:`,
    `jupyter lab --ContentsManager.allow_hidden=True --FileContentsManager.files_handler_params='{"path": "FOLDER", "allowed_symlink_directory": "/"}'`,
  ].join(' ');
}

const nameOf = (path: string): string => path.split('/').pop() ?? path;

/** Headers of a request from a worker, beside the cookie: a worker of a blob sends no referrer. */
export function serverHeaders(token = ''): Record<string, string> {
  const xsrf = /(?:^|; ?)_xsrf=([^;]+)/.exec(document.cookie)?.[1];
  return {
    ...(xsrf !== undefined && { 'X-XSRFToken': xsrf }),
    ...(token !== '' && { Authorization: `token ${token}` }),
  };
}
