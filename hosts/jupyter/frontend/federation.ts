/** The modules that JupyterLab and its extensions share, by name and version, as in the module federation of webpack. */
export type ShareScope = Record<
  string,
  Record<string, { get(): Promise<() => unknown> | (() => unknown); loaded?: boolean | number }>
>;

/** The script of an extension, as JupyterLab uses it. */
export interface Container {
  init(scope: ShareScope): void;
  get(name: string): Promise<() => unknown>;
}

/** Returns the module that JupyterLab uses, so that its tokens and classes are the same ones. Throws if it has none. */
export async function sharedModule<T>(scope: ShareScope, name: string): Promise<T> {
  const versions = Object.entries(scope[name] ?? {});
  // As webpack chooses a module of which there may be only one: the loaded one, or the newest.
  versions.sort(
    ([a, { loaded: isA = 0 }], [b, { loaded: isB = 0 }]) =>
      Number(isB) - Number(isA) || b.localeCompare(a, 'en', { numeric: true }),
  );
  const [found] = versions;
  if (found === undefined) throw new Error(`This JupyterLab shares no ${name}: xylem needs JupyterLab 4.`);
  const factory = await found[1].get();
  return factory() as T;
}
