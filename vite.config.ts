import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname, resolve } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

// One part of dist/ for each mode; scripts/build.mjs runs them all.
//   page     dist/page/              the app: index.html, workers and wasm as files
//   element  dist/xylem-viewer.js    one script: workers and wasm inside
//   jsroot   dist/page/jsroot/, dist/jsroot/   the frame in which JSROOT draws
//   export   dist/xylem-export.js    what the element loads when it writes a file
//   library  dist/index.js           for browsers; *.worker.js and xylem.wasm beside it
//   node     dist/node.js, cli.js    for Node; the same wasm beside it
const root = import.meta.dirname;
const path = (name: string): string => resolve(root, name);

/** Those entries whose source is there, by the name of their output. */
const present = (entries: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(entries)
      .map(([name, source]) => [name, path(source)] as const)
      .filter(([, source]) => existsSync(source)),
  );

/**
 * In the published library all files lie in one folder, and the references between them stay in the form
 * `new URL('./name', import.meta.url)`, which every bundler follows. In the sources they name
 * `…/build/xylem.wasm` and `…/workers/NAME.worker.ts`; this rewrites them.
 */
function siblingUrls(): Plugin {
  const reference =
    /new URL\(\s*(['"])(?:\.{1,2}\/)+(?:[\w-]+\/)*(xylem\.wasm|[\w-]+\.worker)(?:\.ts|\.js)?\1,\s*import\.meta\.url,?\s*\)/g;
  return {
    name: 'xylem:sibling-urls',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(root) || id.includes('/node_modules/') || !code.includes('import.meta.url')) return;
      return code.replace(reference, (_, quote: string, name: string) => {
        const file = name.endsWith('.wasm') ? name : `${name}.js`;
        return `new URL(${quote}./${file}${quote}, import.meta.url)`;
      });
    },
  };
}

/**
 * An inlined worker gives up its own blob: address as its first act. Ours starts its decode workers from
 * that address, so it has to keep it.
 */
function keepWorkerAddress(): Plugin {
  const givenUp = `'(self.URL || self.webkitURL).revokeObjectURL(self.location.href);',`;
  return {
    name: 'xylem:keep-worker-address',
    enforce: 'pre',
    transform(code, id) {
      if (!/[?&]worker&inline/.test(id)) return;
      if (!code.includes(givenUp))
        this.error('Vite inlines workers in another way now: see keepWorkerAddress.');
      return code.replace(givenUp, '');
    },
  };
}

/** The modules of JSROOT that draw; what reads files, makes PDF or runs in Node is left out. */
function drawingOfJsroot(): Plugin {
  const folder = path('node_modules/jsroot/modules');
  const name = 'jsroot/browser';
  const left = /\/base\/(makepdf|zstd|lzma)\.mjs$/;
  return {
    name: 'xylem:drawing-of-jsroot',
    enforce: 'pre',
    resolveId: (id) => (id === name ? `\0${name}` : null),
    load(id) {
      if (id === `\0${name}`)
        return [
          `export { draw } from '${folder}/draw.mjs';`,
          `export { parse } from '${folder}/core.mjs';`,
          `export { cleanup, resize } from '${folder}/base/ObjectPainter.mjs';`,
        ].join('\n');
      return id.startsWith(folder) && left.test(id) ? 'export const makePDF = undefined;' : null;
    },
  };
}

/** A file deflated within a script: 'file?deflated'. A script that is compressed once more grows little by it. */
function deflatedFiles(): Plugin {
  const mark = '?deflated';
  return {
    name: 'xylem:deflated-files',
    enforce: 'pre',
    resolveId: (id, importer) =>
      id.endsWith(mark) && importer !== undefined
        ? `\0${resolve(dirname(importer), id.slice(0, -mark.length))}${mark}`
        : null,
    async load(id) {
      if (!id.startsWith('\0') || !id.endsWith(mark)) return null;
      const bytes = await readFile(id.slice(1, -mark.length));
      return `export default ${JSON.stringify(deflateRawSync(bytes, { level: 9 }).toString('base64'))};`;
    },
  };
}

/** One script has no chunks: what writes files lies beside it. */
function exportBeside(): Plugin {
  return {
    name: 'xylem:export-beside',
    enforce: 'pre',
    resolveId: (id, importer) =>
      id === './load-export' && importer?.endsWith('/ui/export-menu.tsx')
        ? path('web/element/load-export.ts')
        : null,
  };
}

/**
 * uPlot makes a number format and looks up the time zone as it is loaded, which holds the page up for 30 to
 * 60 ms; labels are our own and times none of our axes.
 */
function plotWithoutIntl(): Plugin {
  const made = {
    "new Intl.NumberFormat(domEnv ? nav.language : 'en-US')": '{ format: String }',
    'new Intl.DateTimeFormat().resolvedOptions().timeZone': "''",
  };
  return {
    name: 'xylem:plot-without-intl',
    transform(code, id) {
      if (!id.endsWith('/uplot/dist/uPlot.esm.js')) return null;
      for (const [text, instead] of Object.entries(made)) {
        if (!code.includes(text)) this.error('uPlot is written in another way now: see plotWithoutIntl.');
        code = code.replace(text, instead);
      }
      return code;
    },
  };
}

const common: UserConfig = {
  root: path('web'),
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { emptyOutDir: false, reportCompressedSize: false, target: 'es2022', chunkSizeWarningLimit: 2000 },
};

const page: UserConfig = {
  ...common,
  plugins: [plotWithoutIntl()],
  base: './',
  publicDir: path('public'),
  worker: { format: 'es' },
  build: { ...common.build, outDir: path('dist/page'), emptyOutDir: true, assetsInlineLimit: 0 },
};

const element: UserConfig = {
  ...common,
  plugins: [plotWithoutIntl(), keepWorkerAddress(), deflatedFiles(), exportBeside()],
  worker: { format: 'iife' },
  build: {
    ...common.build,
    outDir: path('dist'),
    lib: { entry: path('web/element/xylem-viewer.ts'), formats: ['es'], fileName: () => 'xylem-viewer.js' },
    rolldownOptions: { output: { codeSplitting: false, minify: true } },
  },
};

/** What the element loads when it writes a file. */
const exporting: UserConfig = {
  ...common,
  build: {
    ...common.build,
    outDir: path('dist'),
    lib: { entry: path('web/export/export-tree.ts'), formats: ['es'], fileName: () => 'xylem-export.js' },
    rolldownOptions: { output: { codeSplitting: false, minify: true } },
  },
};

interface Group {
  name: string;
  test: RegExp;
  priority: number;
}

/**
 * What belongs together in Node, each with all it imports: the loading of a module costs half a
 * millisecond, and without this there were 21 to be loaded before a file could be opened.
 */
const nodeGroups: Group[] = [
  { name: 'decode', test: /\/workers\/decode-handler\.ts$/, priority: 3 },
  { name: 'start', test: /\/web\/cli\/run\.ts$/, priority: 2 },
  { name: 'reader', test: /\/web\/(query\/engine|export\/export-tree|file\/page-source)\.ts$/, priority: 1 },
];

/** A classic script, which is what a document without an origin may load. */
const jsroot: UserConfig = {
  ...common,
  define: { 'import.meta': '{}' },
  plugins: [drawingOfJsroot()],
  build: {
    ...common.build,
    outDir: path('build/jsroot'),
    emptyOutDir: true,
    lib: {
      entry: path('web/ui/jsroot/frame.ts'),
      formats: ['iife'],
      name: 'xylem',
      fileName: () => 'frame.js',
    },
    rolldownOptions: {
      external: ['three', 'three/addons', 'canvas', 'mathjax', 'xhr2', 'tmp', ...builtinModules],
      output: { codeSplitting: false },
    },
  },
};

/** A build that leaves `new URL(…, import.meta.url)` alone and bundles every package. */
function modules(
  input: Record<string, string>,
  target: 'node' | 'webworker',
  groups: Group[] = [],
): UserConfig {
  return {
    ...common,
    plugins: [siblingUrls()],
    // A test that starts the command line hands its own environment down to it.
    define: { 'process.env.VITEST': 'undefined' },
    ssr: {
      noExternal: true,
      target,
      // Of its own for each system, and asked for only by those who want PNG.
      ...(target === 'node' ? { external: [...builtinModules, '@resvg/resvg-js'] } : {}),
    },
    build: {
      ...common.build,
      outDir: path('dist'),
      ssr: true,
      minify: false,
      rolldownOptions: {
        input,
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          format: 'es',
          // In Node lines stay: it shows the line that threw what nobody caught.
          minify: { mangle: false, compress: false, codegen: { removeWhitespace: target !== 'node' } },
          ...(target === 'node' && { comments: { legal: true, annotation: false, jsdoc: false } }),
          ...(groups.length > 0 && { codeSplitting: { groups } }),
        },
      },
    },
  };
}

const browserEntries = {
  index: 'web/index.ts',
  'xylem.worker': 'workers/xylem.worker.ts',
};
const nodeEntries = {
  node: 'web/node.ts',
  cli: 'web/cli/main.ts',
  'node-decode.worker': 'workers/node-decode.worker.ts',
};

export default defineConfig(({ mode }) => {
  switch (mode) {
    case 'element':
      return element;
    case 'export':
      return exporting;
    case 'jsroot':
      return jsroot;
    case 'library':
      return modules(present(browserEntries), 'webworker');
    case 'node':
      return modules(present(nodeEntries), 'node', nodeGroups);
    default:
      return page;
  }
});
