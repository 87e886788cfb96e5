import { GATEWAY_PATH, KEY_HEADER } from '../../../io/http/gateway-path';

/** Time limit in ms for the gateway. */
const PATIENCE_MS = 4000;

/**
 * Returns the key that a page uses for the gateway at `origin`: the one in the link by which it was opened, or the
 * stored one. Any page may link to this one, so a key that the gateway does not know does not replace the stored one.
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
