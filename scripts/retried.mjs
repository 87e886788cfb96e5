// Tests that failed first and passed when they were run again. npm test lists each at its end as a finding: a machine that is
// busy fails a test by chance, and so does a fault that shows itself at times.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/** @typedef {{ name: string, file: string, error: string }} Retried `error`: the start of its first error */

/** @param {string | undefined} text without the colours of terminals */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
const start = (text) => (text ?? '').replace(/\x1b\[[\d;]*m/g, '').slice(0, 600);

/**
 * A reporter of Vitest. Writes a list of Retried to the file that XYLEM_RETRIED names.
 */
export default class RetriedReporter {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules) {
    const path = process.env.XYLEM_RETRIED;
    if (path === undefined) return;
    /** @type {Retried[]} */
    const retried = [];
    for (const module of modules)
      for (const test of module.children.allTests()) {
        if (test.diagnostic()?.flaky !== true) continue;
        const error = start(test.result().errors?.[0]?.message);
        retried.push({ name: test.fullName, file: relative(process.cwd(), module.moduleId), error });
      }
    writeFileSync(path, JSON.stringify(retried));
  }
}

/**
 * @typedef {{ status: string, results: { errors: { message?: string }[] }[] }} Run
 * @typedef {{ file?: string, suites?: Suite[], specs: { title: string, file?: string, tests: Run[] }[] }} Suite
 */

/**
 * Those of a report of Playwright.
 * @param {Suite} suite
 * @returns {Retried[]}
 */
export function retriedStories({ suites = [], specs }) {
  const own = specs.flatMap(({ title, file = '', tests }) =>
    tests
      .filter(({ status }) => status === 'flaky')
      .map(({ results }) => ({ name: title, file, error: start(results[0]?.errors[0]?.message) })),
  );
  return [...own, ...suites.flatMap(retriedStories)];
}

/**
 * The lines for the end of a run, empty if there are none.
 * @param {(Retried & { stage: string })[]} retried
 */
export function findings(retried) {
  return retried
    .map(({ stage, name, file, error }) => {
      const why = error.split('\n').filter((line) => line.trim() !== '');
      return `finding: ${stage}: "${name}" (${file}) passed only when it was run again\n${why.map((line) => `    ${line}\n`).join('')}`;
    })
    .join('');
}
