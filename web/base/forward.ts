/** A list of all methods of an interface. It does not compile if one is missing or not in the interface. */
export type MethodsOf<T> = { readonly [Method in keyof T]: true };

type Methods = Record<string, (...args: unknown[]) => unknown>;

/**
 * Returns an object whose methods call those of another object, which `get` creates, loads or waits for. If `get`
 * throws, the method rejects with that error.
 */
export function forward<T extends object>(methods: MethodsOf<T>, get: () => Promise<T> | T): T {
  const calls: Methods = {};
  for (const method of Object.keys(methods)) {
    calls[method] = async (...args) => ((await get()) as Methods)[method]?.(...args);
  }
  return calls as T;
}
