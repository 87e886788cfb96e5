import { lookupService } from 'node:dns/promises';
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';

/**
 * Whether a Host header names this machine: by an address, as localhost, by the name that the server was
 * started with, by its own name, or by one that the name service has for its addresses. The owner of another
 * name could let it lead to this machine and read by a page of that name (DNS rebinding).
 */
export async function isOwnName(header: string | undefined, given: string): Promise<boolean> {
  const name = nameOf(header ?? '');
  if (name === '') return false;
  if (isIP(name) !== 0 || ['localhost', given.toLowerCase(), ...ownNames()].includes(name)) return true;
  registered ??= registeredNames();
  return (await registered).has(name);
}

/** In small letters, without the port, brackets and a last dot. */
function nameOf(header: string): string {
  const bare = /^\[([^\]]*)\](?::\d*)?$/.exec(header)?.[1] ?? header.replace(/:\d*$/, '');
  return bare.toLowerCase().replace(/\.$/, '');
}

function ownNames(): string[] {
  const name = hostname().toLowerCase();
  return [name, `${name}.local`];
}

let registered: Promise<Set<string>> | undefined;

/** Looked up once, when a name is not known otherwise. */
async function registeredNames(): Promise<Set<string>> {
  const addresses = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal }) => !internal);
  const names = addresses.map(({ address }) =>
    lookupService(address, 80).then(
      (found) => found.hostname.toLowerCase(),
      () => '',
    ),
  );
  return new Set(await Promise.all(names));
}
