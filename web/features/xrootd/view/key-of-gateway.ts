import { GATEWAY_KEY, type Host } from '../../../../workers/host';
import { keyToUse } from '../work/gateway-key';

/**
 * The key of the gateway that serves this page, which came with its link. It is kept for this origin, and so for this port:
 * servers at other ports never get it.
 */
export async function keyOfGateway(
  ofLink: string,
  { storage }: Pick<Host, 'storage'>,
): Promise<Pick<Host, 'gatewayKey'>> {
  const before = storage?.getItem(GATEWAY_KEY) ?? undefined;
  const gatewayKey = await keyToUse(ofLink, before, location.origin);
  if (gatewayKey !== undefined) storage?.setItem(GATEWAY_KEY, gatewayKey);
  return { gatewayKey };
}
