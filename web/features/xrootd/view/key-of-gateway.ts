import type { StartedPage } from '../../../ui/part';
import { keyToUse } from '../work/gateway-key';

/**
 * The key of the gateway that serves this page, which came with its link. It is kept for this origin, and so for this port:
 * servers at other ports never get it.
 */
export async function keyOfGateway({ location, storage }: StartedPage): Promise<{ gatewayKey?: string }> {
  const name = 'xylem.gateway-key';
  const before = storage?.getItem(name) ?? undefined;
  const [, ofLink] = /^#key=([\w-]+)$/.exec(location.hash) ?? [];
  if (ofLink !== undefined) history.replaceState(history.state, '', location.pathname + location.search);
  const key = await keyToUse(ofLink, before, location.origin);
  if (key !== undefined && key !== before) storage?.setItem(name, key);
  return key === undefined ? {} : { gatewayKey: key };
}
