import { escapeXml } from '../../../plot/drawing/drawing';
import type { Judged } from './judged';

/** The results of a wall as JUnit XML: a test case for each plot. */
export function junitXml(suite: string, judged: readonly Judged[]): string {
  const count = (...states: string[]) => judged.filter(({ state }) => states.includes(state)).length;
  const totals = `tests="${judged.length}" failures="${count('failed')}" errors="${count('error')}" skipped="${count('missing', 'other')}"`;
  const name = escapeXml(suite);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="xylem wall" ${totals}>`,
    `<testsuite name="${name}" ${totals}>`,
    ...judged.map((one) => testCase(suite, one)),
    '</testsuite>',
    '</testsuites>',
  ].join('\n');
}

function testCase(suite: string, { name, state, verdict, notes }: Judged): string {
  const at = name.lastIndexOf('/');
  const folder = at < 0 ? suite : `${suite}/${name.slice(0, at)}`;
  const head = `<testcase classname="${escapeXml(folder)}" name="${escapeXml(name.slice(at + 1))}"`;
  const message = escapeXml(verdict.why.join('; '));
  const text = escapeXml(notes.join('\n'));
  if (state === 'failed') return `${head}><failure message="${message}">${text}</failure></testcase>`;
  if (state === 'error') return `${head}><error message="${message}">${text}</error></testcase>`;
  if (state === 'missing' || state === 'other') return `${head}><skipped message="${message}"/></testcase>`;
  return `${head}/>`;
}
