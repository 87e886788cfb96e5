import dns from 'node:dns';

/**
 * Names below "localhost" lead to this machine, as in browsers: the name service of a system may not know them. Returns
 * the end of that.
 */
export function resolveLocalNames(): () => void {
  const { lookup } = dns;
  const local = (name: string, ...rest: unknown[]): unknown =>
    Reflect.apply(lookup, dns, [name.endsWith('.localhost') ? '127.0.0.1' : name, ...rest]);
  dns.lookup = Object.assign(local, lookup) as typeof lookup;
  return () => {
    dns.lookup = lookup;
  };
}
