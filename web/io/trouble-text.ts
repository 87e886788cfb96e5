import type { ServerTrouble } from './source';

/** Returns a text about a server that does not answer: the problem, for how long, and which attempt this is. */
export function troubleText({ silentMs, tried, tries, nextMs }: ServerTrouble): string {
  const which = tries > 1 ? ` (${tried} of ${tries})` : '';
  if (nextMs > 0) {
    const wait = Math.ceil(nextMs / 1000);
    return `The server refuses or does not answer; trying again in ${wait} s${which}.`;
  }
  const silent = Math.round(silentMs / 1000);
  if (tried > 1) {
    const since = silent > 0 ? `, for ${silent} s` : '';
    return `The server does not answer; trying again${which}${since}.`;
  }
  return `The server has not answered for ${silent} s.`;
}
