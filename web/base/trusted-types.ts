/** Name of xylem's policy. A page with the directive "trusted-types" must list it: see docs/embedding.md. */
export const POLICY_NAME = 'xylem';

/** The used part of a browser's Trusted Types. Their values are typed as strings here. */
interface Policy {
  createHTML(text: string): string;
  createScriptURL(url: string): string;
}
interface Factory {
  createPolicy(name: string, rules: Policy): Policy;
}

let policy: Policy | undefined;

/**
 * Returns xylem's policy. Undefined without Trusted Types, and if the page does not allow the policy; texts then stay
 * strings.
 */
function ourPolicy(): Policy | undefined {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory };
  try {
    policy ??= trustedTypes?.createPolicy(POLICY_NAME, {
      createHTML: (text) => text,
      createScriptURL: ownScript,
    });
  } catch {
    // The page does not allow this policy. Calls that need it will fail with the browser's error.
  }
  return policy;
}

/** Throws TypeError for a script of another origin. */
function ownScript(url: string): string {
  const { protocol, origin } = new URL(url, globalThis.location.href);
  if (protocol === 'blob:' || origin === globalThis.location.origin) return url;
  throw new TypeError('Only scripts of the same origin become workers.');
}

/** Returns the address of a worker's script in the form required by "require-trusted-types-for". */
export function trustedScriptUrl(url: string | URL): string {
  return ourPolicy()?.createScriptURL(String(url)) ?? String(url);
}

/** Returns a document that xylem created as text, in the same form. Must not be used for text from outside. */
export function trustedHtml(text: string): string {
  return ourPolicy()?.createHTML(text) ?? text;
}
