import { unsupported } from './data-errors';

/** A list of all methods of an interface. It does not compile if one is missing or not in the interface. */
export type MethodsOf<T> = { readonly [Method in keyof T]: true };

type Methods = Record<string, (...args: unknown[]) => unknown>;

/**
 * Returns an object whose methods call those of another object, which `get` creates, loads or waits for. If `get`
 * throws, the method rejects with that error.
 */
export function forward<T extends object>(methods: MethodsOf<T>, get: () => Promise<T> | T): T {
  const calls: Methods = {};
  for (const method of Object.keys(methods)) calls[method] = forwarded(method, get);
  return calls as T;
}

/**
 * As `forward`, for methods whose names are not known in advance. `own` has methods of the result that are not
 * forwarded. The forwarded methods cannot be listed, so the result cannot be spread.
 */
export function forwardAll<T extends object>(get: () => Promise<T> | T, own: Partial<T> = {}): T {
  return methodsBy<T>((method) => forwarded(method, get), own);
}

/** Returns an object with the methods of `own`. Any other method is created by `make` when it is first used. */
export function methodsBy<T extends object>(
  make: (method: string) => Methods[string],
  own: Partial<T> = {},
): T {
  const calls = new Map(Object.entries(own));
  const get = (_target: object, method: string | symbol) => {
    // Resolving a promise with the object checks whether it has a method "then".
    if (typeof method !== 'string' || method === 'then') return undefined;
    const known = calls.get(method) ?? make(method);
    calls.set(method, known);
    return known;
  };
  return new Proxy({}, { get }) as T;
}

const forwarded =
  (method: string, get: () => Promise<object> | object): Methods[string] =>
  async (...args) => {
    const call = ((await get()) as Partial<Methods>)[method];
    if (call === undefined) throw unsupported(`This build of xylem has no call "${method}".`);
    return call(...args);
  };
