// Mutation tests of TypeScript: npm run test:mutants -- FILES. See docs/testing.md.
/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'build/vitest.mutants.config.ts', related: false },
  reporters: ['json'],
  jsonReporter: { fileName: 'build/mutants.json' },
  // Stryker would rewrite it with the compiler's old API, which TypeScript 7 does not have.
  tsconfigFile: 'no-tsconfig.json',
  tempDirName: 'build/stryker',
  // The copy in which the mutants run needs the built core, and little else.
  ignorePatterns: [
    '/build/*',
    '!/build/*.wasm',
    '!/build/*.ts',
    '/wasm/vendor',
    '/docs',
    '/test-results',
    '/dist',
    '/bench',
  ],
  coverageAnalysis: 'perTest',
  concurrency: 1,
  timeoutMS: 4_000,
  timeoutFactor: 2,
  // Texts of messages are for people: no test pins each word of them.
  mutator: { excludedMutations: ['StringLiteral'] },
};
