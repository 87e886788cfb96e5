/** Why tests are skipped here, each reason once for each file of tests. */
const told = new Set<string>();

/**
 * Whether tests have to be skipped because the machine does not have what they need: for `test.skipIf`. Prints the
 * reason; npm test lists all of them at its end. Throws where XYLEM_REQUIRE names it ("zsh,nginx") or is "all", so
 * that a machine that was set up for it does not skip tests without notice.
 */
export function lacks(what: string, isHere: boolean): boolean {
  if (isHere) return false;
  const required = (process.env.XYLEM_REQUIRE ?? '').split(',');
  if (required.includes(what) || required.includes('all')) {
    throw new Error(`XYLEM_REQUIRE asks for ${what}, which is not on this machine.`);
  }
  if (!told.has(what)) process.stderr.write(`skipped: tests that need ${what}\n`);
  told.add(what);
  return true;
}
