import { GATEWAY_PATH, KEY_HEADER } from './gateway-path';

/** A gateway is given up after this many ms. */
const PATIENCE_MS = 4000;

/**
 * Which key a page uses for the gateway at `origin`: the one of the link by which it was opened, or the one that it has kept.
 * Any page may have a link to this one, so that a key which the gateway does not know replaces none.
 */
export async function keyToUse(
  ofLink: string | undefined,
  kept: string | undefined,
  origin: string,
): Promise<string | undefined> {
  if (ofLink === undefined || ofLink === kept) return kept;
  return kept === undefined || (await isKnown(ofLink, origin)) ? ofLink : kept;
}

async function isKnown(key: string, origin: string): Promise<boolean> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const asked = { headers: { [KEY_HEADER]: key }, cache: 'no-store', signal } as const;
  return await fetch(origin + GATEWAY_PATH, asked).then(
    ({ ok }) => ok,
    () => false,
  );
}
