/**
 * The name of xylem's policy, which a page with the directive "trusted-types" has to list: see
 * docs/embedding.md.
 */
export const POLICY_NAME = 'xylem';

/**
 * The part of a browser's Trusted Types that is used; to all code but the browser the results are strings.
 */
interface Policy {
  createHTML(text: string): string;
  createScriptURL(url: string): string;
}
interface Factory {
  createPolicy(name: string, rules: Policy): Policy;
}

let policy: Policy | undefined;

/** Without Trusted Types, and when the page does not allow this policy, texts stay texts. */
function ourPolicy(): Policy | undefined {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory };
  try {
    policy ??= trustedTypes?.createPolicy(POLICY_NAME, {
      createHTML: (text) => text,
      createScriptURL: ownScript,
    });
  } catch {
    // The page says which policies are allowed. Calls that need this one fail where they are made.
  }
  return policy;
}

/** Throws TypeError for scripts of other origins. */
function ownScript(url: string): string {
  const { protocol, origin } = new URL(url, globalThis.location.href);
  if (protocol === 'blob:' || origin === globalThis.location.origin) return url;
  throw new TypeError('Only scripts of the same origin become workers.');
}

/** The address of a worker's script, in the form that a page under "require-trusted-types-for" demands. */
export function trustedScriptUrl(url: string | URL): string {
  return ourPolicy()?.createScriptURL(String(url)) ?? String(url);
}

/** A document made by xylem as text, in the same form. Never for text from elsewhere. */
export function trustedHtml(text: string): string {
  return ourPolicy()?.createHTML(text) ?? text;
}
