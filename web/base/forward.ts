/** Every method of an interface. TypeScript complains when one is missing, or is not in the interface. */
export type MethodsOf<T> = { readonly [Method in keyof T]: true };

type Methods = Record<string, (...args: unknown[]) => unknown>;

/**
 * Returns an object whose methods call those of another object, which `get` makes, loads or waits for. Each method
 * rejects with what `get` throws.
 */
export function forward<T extends object>(methods: MethodsOf<T>, get: () => Promise<T> | T): T {
  const calls: Methods = {};
  for (const method of Object.keys(methods)) {
    calls[method] = async (...args) => ((await get()) as Methods)[method]?.(...args);
  }
  return calls as T;
}
