import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname, resolve } from 'node:path';
import { deflateAsync } from '@gfx/zopfli';
import { build, defineConfig, normalizePath, type Plugin, parseAst, type UserConfig } from 'vite';

// One part of dist/ for each mode; scripts/build.mjs runs them all.
//   page     dist/page/              the app: index.html, workers and wasm as files
//   element  dist/xylem-viewer.js    the element's loader; dist/xylem-viewer/ the rest: workers and wasm inside
//   jsroot   dist/page/jsroot/, dist/jsroot/   the frame in which JSROOT draws
//   selector dist/page/selector/, dist/selector/   the editor of selectors, and the frame in which they run
//   shared   dist/page/assets/, dist/xylem-viewer/   libraries for formats, and fonts, which all parts of the package have in common
//   library  dist/index.js           for browsers; *.worker.js and the modules of the core beside it
//   plot     dist/plot.js            plots as SVG, in browsers and in Node
//   node     dist/node.js            for Node; the same wasm beside it
//   program  dist/cli/               the command line: scripts that web/cli/process/parts.ts loads
//   launch   dist/cli/xylem.js       what loads them
//   chunks   dist/chunks/            what only other files of library, plot and node import
// Vite's names of files have slashes on Windows, too.
const root = normalizePath(import.meta.dirname);
const path = (name: string): string => normalizePath(resolve(root, name));

/** Those entries whose source is there, by the name of their output. */
const present = (entries: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(entries)
      .map(([name, source]) => [name, path(source)] as const)
      .filter(([, source]) => existsSync(source)),
  );

/** The folder of the package for the parts that only its other parts import, and its address from a script of the package. */
const CHUNKS = 'chunks/';
const toTop = (script: string): string => (script.includes('/') ? '../' : './');

/**
 * In the published library the modules of the core and the workers lie at the top, and references to them stay in the form
 * `new URL('./name', import.meta.url)`, which every bundler follows. In the sources they name
 * `…/build/xylem.wasm`, the other modules of the core beside it, and `…/workers/NAME.worker.ts`; this rewrites them.
 */
function siblingUrls(): Plugin {
  const reference =
    /new URL\(\s*(['"])(?:\.{1,2}\/)+(?:[\w-]+\/)*(xylem(?:-\w+)?\.wasm|[\w-]+\.worker)(?:\.ts|\.js)?\1,\s*import\.meta\.url,?\s*\)/g;
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
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || toTop(chunk.fileName) === './') continue;
        const own =
          /(new URL\(\s*["'`])\.\/(?=[\w-]+\.(?:wasm|worker\.js)["'`],\s*(?:import\.meta\.url|xylemOwnUrl))/g;
        chunk.code = chunk.code.replace(own, `$1${toTop(chunk.fileName)}`);
        if (/new URL\(\s*["'`]\.\/[\w-]+\.(wasm|worker\.js)/.test(chunk.code))
          this.error(`${chunk.fileName} looks for a file of the top beside it.`);
      }
    },
  };
}

/**
 * The script of a worker as text: 'name.worker?worker&inline&text'. The worker that Vite would start gives up its own
 * address, from which ours starts others, and a page may demand that addresses of scripts are trusted ones.
 */
function workerAsText(): Plugin {
  return {
    name: 'xylem:worker-as-text',
    enforce: 'pre',
    transform(code, id) {
      if (!/[?&]worker&inline&text/.test(id)) return;
      const rest = code.indexOf('const blob =');
      if (!/^const jsContent = /.test(code) || rest < 0)
        this.error('Vite inlines workers in another way now: see workerAsText.');
      return `${code.slice(0, rest)}export default jsContent;`;
    },
  };
}

/** Modules that a worker needs to draw a branch, beside those that its script needs to start. */
const FIRST_DRAWING = ['web/measure/draw.ts'];

/** The script of a worker as modules of CommonJS: those that it starts with, and the others. */
async function modulesOfWorker(entry: string): Promise<{ first: string[]; rest: string[] }> {
  const early = new Set<string>();
  const found = await build({
    ...common,
    configFile: false,
    logLevel: 'warn',
    plugins: [
      {
        name: 'xylem:early-modules',
        buildEnd() {
          const open = [entry, ...FIRST_DRAWING.map(path)];
          for (let id = open.pop(); id !== undefined; id = open.pop()) {
            if (early.has(id)) continue;
            early.add(id);
            open.push(...(this.getModuleInfo(id)?.importedIds ?? []));
          }
        },
      },
    ],
    build: {
      ...common.build,
      write: false,
      modulePreload: false,
      lib: { entry, formats: ['cjs'], fileName: () => 'start.js' },
      rolldownOptions: {
        output: {
          minify: true,
          chunkFileNames: '[name].js',
          codeSplitting: {
            groups: [
              { name: 'first', test: (id) => early.has(id) },
              { name: 'rest', test: (id) => !early.has(id) },
            ],
          },
        },
      },
    },
  });
  const chunks = [found].flat().flatMap((one) => ('output' in one ? one.output : []));
  const needed = new Set<string>();
  const need = (name: string): void => {
    const chunk = chunks.find(({ fileName }) => fileName === name);
    if (needed.has(name) || chunk?.type !== 'chunk') return;
    needed.add(name);
    for (const other of chunk.imports) need(other);
  };
  need('start.js');
  const parts: { first: string[]; rest: string[] } = { first: [], rest: [] };
  for (const chunk of chunks) {
    if (chunk.type !== 'chunk') continue;
    const later = /Promise\.resolve\(\)\.then\(\(\)=>require\((["'`][^"'`]+["'`])\)\)/g;
    const code = chunk.code.replace(later, 'require.later($1)');
    parts[needed.has(chunk.fileName) ? 'first' : 'rest'].push(
      `${JSON.stringify(`./${chunk.fileName}`)}:function(exports,require,module){${code}\n}`,
    );
  }
  if (needed.has('rest.js') || parts.rest.length === 0) throw new Error(`${entry} has no two parts.`);
  return parts;
}

/** How ids of the parts of a script begin. */
const IN_PARTS = '\0in-parts:';
const isRest = (id: string): boolean => id.startsWith(IN_PARTS) && id.endsWith('?rest');

/** How the modules of a worker find each other: see workers/rest-of-script.ts. */
const REQUIRE = `
(()=>{
const made={};
const need=(name)=>{
  let module=made[name];
  if(module===undefined){module=made[name]={exports:{}};self.xylemModules[name](module.exports,need,module)}
  return module.exports;
};
let rest;
need.later=async(name)=>{
  if(!(name in self.xylemModules)){
    rest??=self.xylemLoadRest();
    try{await rest}catch(error){rest=undefined;throw error}
  }
  return need(name);
};
self.xylemStart=()=>need("./start.js");
})();`.replace(/\n\s*/g, '');

/**
 * The script of a worker in two parts: 'name.worker?first' is a text, which lacks `xylemStart()` at its end, 'name.worker?rest'
 * the function that adds the other modules; with `whole` the first part has all. See workers/rest-of-script.ts.
 */
function scriptInParts(whole = false): Plugin {
  const mark = IN_PARTS;
  const made = new Map<string, ReturnType<typeof modulesOfWorker>>();
  return {
    name: 'xylem:script-in-parts',
    enforce: 'pre',
    config: () => ({ define: { REST_FILE: JSON.stringify('xylem-viewer/REST-FILE.js') } }),
    resolveId: (id, importer) => {
      const [, name, part] = /^(.*\.worker)\?(first|rest)$/.exec(id) ?? [];
      if (name === undefined || importer === undefined) return null;
      return `${mark}${normalizePath(resolve(dirname(importer), name))}.ts?${part}`;
    },
    async load(id) {
      if (!id.startsWith(mark)) return null;
      const [entry = '', part] = id.slice(mark.length).split('?');
      const making = made.get(entry) ?? modulesOfWorker(entry);
      made.set(entry, making);
      const { first, rest } = await making;
      if (part === 'first')
        return `export default ${JSON.stringify(`self.xylemModules={${[...first, ...(whole ? rest : [])].join(',')}};${REQUIRE}`)};`;
      return `export default (modules) => { Object.assign(modules, {${whole ? '' : rest.join(',')}}); };`;
    },
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
      const rest = chunks.find(({ moduleIds }) => moduleIds.some((id) => isRest(id)));
      for (const chunk of chunks)
        if (rest !== undefined)
          chunk.code = chunk.code.replaceAll('xylem-viewer/REST-FILE.js', rest.fileName);
    },
  };
}

/**
 * The modules of JSROOT that draw; what reads files and trees, lists them, makes PDF, draws classes of ROOT 7 or runs in
 * Node is left out. Its functions do not compile formulas: see web/features/jsroot/view/table-functions.ts.
 */
function drawingOfJsroot(): Plugin {
  const folder = path('node_modules/jsroot/modules');
  const name = 'jsroot/browser';
  const left =
    /\/(base\/(makepdf|zstd|lzma)|io|tree|rntuple|draw\/(TTree|RNTuple|v7more|RTreeMapPainter)|hist(2d)?\/R\w+|gui\/HierarchyPainter|gpad\/RCanvasPainter)\.mjs$/;
  const nothing = [
    'export const makePDF = undefined;',
    "export const clTStreamerInfoList = 'TStreamerInfoList', kBaseClass = 'BASE', clTBranchFunc = 'TBranchFunc';",
  ].join('\n');
  return {
    name: 'xylem:drawing-of-jsroot',
    enforce: 'pre',
    resolveId: (id) => {
      if (id.endsWith('/base/func.mjs')) return path('web/features/jsroot/view/table-functions.ts');
      return id === name ? `\0${name}` : null;
    },
    load(id) {
      if (id === `\0${name}`)
        return [
          `export { draw } from '${folder}/draw.mjs';`,
          `export { gStyle, parse, settings } from '${folder}/core.mjs';`,
          `export { setSaveFile } from '${folder}/gui/utils.mjs';`,
          `export { cleanup, resize } from '${folder}/base/ObjectPainter.mjs';`,
        ].join('\n');
      return id.startsWith(folder) && left.test(id) ? nothing : null;
    },
  };
}

/** Libraries for formats that few ask for, by the files of the build that have what is used of them. */
const SHARED: Readonly<Record<string, string>> = {
  'apache-arrow': 'shared-arrow',
  'hyparquet-writer': 'shared-parquet',
};

/** How figures import a font, with its name; the files of these are shared-NAME. */
const FONT = /@fontsource\/[\w-]+\/files\/([\w-]+)\.woff\?inline/;

/** The fonts of figures by the files of the build that have them; none if there are no figures. */
function sharedFonts(): Record<string, string> {
  const list = path('web/features/figures/work/fonts/files.ts');
  const text = existsSync(list) ? readFileSync(list, 'utf8') : '';
  const found = [...text.matchAll(RegExp(FONT, 'g'))];
  return Object.fromEntries(found.map(([id, name = '']) => [`shared-${name}`, `font:${id}`]));
}

/** Fonts as entries of a build: Vite drops entries that are no scripts. */
function fontEntries(): Plugin {
  return {
    name: 'xylem:font-entries',
    enforce: 'pre',
    // Vite has made it a path.
    resolveId: (id) => /\bfont:.+/.exec(id)?.[0].replace(/^/, '\0') ?? null,
    load: (id) =>
      id.startsWith('\0font:')
        ? `export { default } from ${JSON.stringify(path(`node_modules/${id.slice('\0font:'.length)}`))};`
        : null,
  };
}

/** The file of the build, without its checksum, that has a library or a font; undefined for all other modules. */
function sharedName(id: string): string | undefined {
  if (Object.hasOwn(SHARED, id)) return SHARED[id];
  const [, font] = FONT.exec(id) ?? [];
  return font === undefined ? undefined : `shared-${font}`;
}

/** The file of build/shared whose name begins so. Throws if there is none. */
function builtShared(name: string): string {
  const built = path('build/shared');
  const files = existsSync(built) ? readdirSync(built) : [];
  const file = files.find(
    (one) => one.startsWith(`${name}-`) && one.length === name.length + '-12345678.js'.length,
  );
  if (file === undefined) throw new Error(`${name} is not built: see sharedParts.`);
  return file;
}

/**
 * Takes these libraries and fonts from files of their own, which the package has once for page, element, library and Node.
 * scripts/build.mjs makes them before, and puts them where `folder` leads to from the script that needs them.
 */
function sharedParts(folder: string): Plugin {
  const names = RegExp(`(["'\`])(${Object.keys(SHARED).join('|')}|${FONT.source})\\1`, 'g');
  return {
    name: 'xylem:shared-parts',
    enforce: 'pre',
    resolveId: (id) => (sharedName(id) === undefined ? null : { id, external: true }),
    renderChunk: (code, { fileName }) =>
      code.replace(names, (_, _quote, id: string) =>
        JSON.stringify(folder.replace(/^top:/, toTop(fileName)) + builtShared(sharedName(id) ?? '')),
      ),
  };
}

/**
 * A file deflated within a script: 'file?deflated'. A script that is compressed once more grows little by it. Zopfli finds
 * streams that are 5 % smaller than zlib's: 8 kB of the first plot.
 */
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
      const deflated = await deflateAsync(bytes, { numiterations: 5 });
      return `export default ${JSON.stringify(Buffer.from(deflated).toString('base64'))};`;
    },
  };
}

/** The core that the element begins with; a build from given modules may lack it: see scripts/build.mjs. */
const hasFirst = existsSync(path('build/xylem-first.wasm'));

/** The whole core in place of the one that the element begins with, which loads parts. */
function wholeCore(): Plugin {
  const none = '\0no-part';
  return {
    name: 'xylem:whole-core',
    enforce: 'pre',
    resolveId(id, importer) {
      if (id.endsWith('/xylem-first.wasm?deflated')) return this.resolve(id.replace('-first', ''), importer);
      return /\/xylem-(zstd|xz|ntuple)\.wasm\?deflated$/.test(id) ? none : null;
    },
    load: (id) => (id === none ? "export default '';" : null),
  };
}

/** How a policy names the script of JSROOT's frame, which then may stand in a document; scripts/build.mjs makes it before. */
function frameScript(): string | undefined {
  const built = path('build/jsroot/frame.js');
  if (!existsSync(built)) return undefined;
  const script = readFileSync(built, 'utf8');
  if (/<\/script|<!--|\r|\0/i.test(script))
    throw new Error('The script of the frame cannot stand in a document.');
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}

/**
 * The policy of the built page, which `xylem serve` sends as well. A policy that a document says of itself cannot say
 * whose page it may stand in.
 */
function pagePolicy(): Plugin {
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'wasm-unsafe-eval' ${frameScript() ?? ''}`.trimEnd(),
    'connect-src *',
    "worker-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types xylem',
  ].join('; ');
  return {
    name: 'xylem:page-policy',
    apply: 'build',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: policy },
        injectTo: 'head-prepend',
      },
    ],
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
  define: { 'import.meta.env.VITE_FRAME_SCRIPT': JSON.stringify(frameScript()) ?? 'undefined' },
  plugins: [pagePolicy(), sharedParts('./')],
  base: './',
  publicDir: path('public'),
  worker: { format: 'es' },
  build: {
    ...common.build,
    outDir: path('dist/page'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // The page starts with all of these, which are a line or two each.
        codeSplitting: {
          groups: [
            {
              name: 'start',
              test: /\/web\/(base\/(search|text|trusted-types)|model\/keys|plot\/(elements|look\/look)|ui\/(plot\/(gesture-hint|shown-plot)|state\/plot-state|widgets\/focus))\./,
            },
          ],
        },
      },
    },
  },
};

const element: UserConfig = {
  ...common,
  plugins: [
    ...(hasFirst ? [] : [wholeCore()]),
    scriptInParts(),
    workerAsText(),
    deflatedFiles(),
    sharedParts('./'),
  ],
  worker: { format: 'iife' },
  build: {
    ...common.build,
    modulePreload: false,
    outDir: path('dist'),
    lib: { entry: path('web/element/xylem-viewer.ts'), formats: ['es'], fileName: () => 'xylem-viewer.js' },
    rolldownOptions: {
      output: {
        minify: true,
        chunkFileNames: ({ moduleIds }) =>
          `xylem-viewer/${moduleIds.some((id) => isRest(id)) ? 'worker-rest' : '[name]'}-[hash].js`,
        // The first plot needs all of these: as one part they are compressed better, and are one request.
        codeSplitting: {
          groups: [
            // The loader needs only these.
            { name: 'errors', test: /\/web\/base\/errors/, priority: 1 },
            { name: 'look', test: /\/web\/plot\/look\/look\./, priority: 1 },
            {
              name: 'page-plot',
              test: /\/web\/(plot\/(?!chart\/(?!page-plot)|explain|gestures\/pinch|layers\/|look\/|stored\/|command|rebin|right-axis|wheel-)|ui\/(plot\/(branch-plot|plot-figure|plot-view|shown-plot|gesture-hint|results)|state\/(viewer-state|contents-model|plot-state))|model\/keys)/,
            },
          ],
        },
      },
    },
  },
};

/** A host gives these modules of the core, and fonts, when they are asked for. `font` is the name of the file of a font for it. */
function givenModules(files: RegExp, font: (name: string) => string): Plugin {
  const mark = '\0given:';
  return {
    name: 'xylem:given-modules',
    enforce: 'pre',
    resolveId: (id) => {
      const [, name] = FONT.exec(id) ?? [];
      if (name !== undefined) return mark + font(name);
      const [, file = ''] = /\/(xylem[\w-]*\.wasm)\?deflated$/.exec(id) ?? [];
      return file !== '' && files.test(file) ? mark + file : null;
    },
    load: (id) =>
      id.startsWith(mark)
        ? [
            `import { givenModule } from ${JSON.stringify(path('web/element/given-modules.ts'))};`,
            `export default () => givenModule(${JSON.stringify(id.slice(mark.length))});`,
          ].join('\n')
        : null,
  };
}

/**
 * The element in one file, for hosts that load a script from a blob or have to pay for each request. It is not in the npm
 * package: scripts/hosts puts it into theirs. Few need the writer, 240 kB, and fonts, 1 MB; VS Code has all modules beside it.
 */
const one = (name: string, given: RegExp, font: (name: string) => string): UserConfig => ({
  ...element,
  plugins: [wholeCore(), givenModules(given, font), scriptInParts(true), workerAsText(), deflatedFiles()],
  build: {
    ...element.build,
    outDir: path('build/hosts'),
    lib: { entry: path('web/element/one-file.ts'), formats: ['es'], fileName: () => name },
    rolldownOptions: { output: { minify: true, codeSplitting: false } },
  },
});

/** What stands between the element and the channel of a notebook. */
const jupyter: UserConfig = {
  ...common,
  define: { FRAME_SHA256: JSON.stringify(frameScript()?.replace(/^'sha256-|'$/g, '')) ?? 'undefined' },
  build: {
    ...common.build,
    outDir: path('build/hosts'),
    lib: {
      entry: {
        loader: path('hosts/jupyter/frontend/loader.ts'),
        widget: path('hosts/jupyter/frontend/widget.ts'),
      },
      formats: ['es'],
    },
    rolldownOptions: { output: { minify: true, entryFileNames: 'jupyter-[name].js' } },
  },
};

/** The script by which JupyterLab loads an extension: what module federation calls a container. */
const lab: UserConfig = {
  ...common,
  build: {
    ...common.build,
    outDir: path('build/hosts'),
    lib: {
      entry: path('hosts/jupyter/frontend/lab.ts'),
      formats: ['iife'],
      name: 'xylemForJupyterLab',
      fileName: () => 'jupyter-lab.js',
    },
    rolldownOptions: { output: { minify: true, codeSplitting: false } },
  },
};

const shared: UserConfig = {
  ...common,
  plugins: [fontEntries()],
  build: {
    ...common.build,
    outDir: path('build/shared'),
    emptyOutDir: true,
    lib: {
      entry: {
        ...present({
          'shared-arrow': 'web/features/exports/work/shared/arrow.ts',
          'shared-parquet': 'web/features/exports/work/shared/parquet.ts',
        }),
        ...sharedFonts(),
      },
      formats: ['es'],
    },
    rolldownOptions: { output: { minify: true, entryFileNames: '[name]-[hash].js' } },
  },
};

/** One module for page and element, loaded by its address. */
const selector: UserConfig = {
  ...common,
  plugins: [workerAsText()],
  worker: { format: 'iife' },
  build: {
    ...common.build,
    outDir: path('build/selector'),
    emptyOutDir: true,
    lib: {
      entry: path('web/features/selectors/view/box/parts.ts'),
      formats: ['es'],
      fileName: () => 'parts.js',
    },
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
 * millisecond, and without this there were 27 to be loaded before a histogram was drawn.
 */
const nodeGroups: Group[] = [
  // All that the main thread needs where a command runs in another.
  {
    name: 'launch',
    test: /\/web\/(cache\/node-user-folder|sinks\/node-unfinished|cli\/process\/thread)\.ts$/,
    priority: 10,
  },
  // The library has these, too: without a group of their own they would lie in the command line's.
  {
    name: 'base',
    test: /\/package\.json$|\/web\/(base\/|(api\/engine-api|io\/(blocks|source|node-handle|http\/server-limits)|query\/language\/errors|bins\/bin-axes|export\/(canonical|bins\/stored-graph)|model\/plain-members|measure\/profile|features\/doctor\/work\/doctor-rules)\.ts$)/,
    priority: 9,
  },
  { name: 'start', test: /\/web\/cli\/process\/run\.ts$/, priority: 7 },
  {
    name: 'reader',
    test: /\/workers\/decode-handler\.ts$|\/web\/(cache\/node-packs|engine\/engine|measure\/summarize|model\/(recover|records|record-fields)|pass\/read-(block|branches)|export\/plain-rows|core\/load|library\/(sources|open-root|options)|sinks\/(sink|node-save-file|node-file-sink)|features\/(exports\/work\/export-tree|writer\/work\/api))\.ts$/,
    priority: 6,
  },
  // A command that reads local files does not load it.
  {
    name: 'http',
    test: /\/web\/(cache\/node-folder|engine\/browser-source|io\/http\/node-http)\.ts$/,
    priority: 4,
  },
  { name: 'measure', test: /\/web\/measure\/(draw|frequencies|labels|table-values)\.ts$/, priority: 3 },
  // A branch is drawn without it.
  { name: 'language', test: /\/web\/measure\/language\.ts$/, priority: 2 },
  {
    name: 'command',
    test: /\/web\/(cli\/(command|context|expressions|options|trees)|features\/chains\/cli\/options)\.ts$/,
    priority: 2,
  },
  // What commands print who report something.
  { name: 'reports', test: /\/web\/(cli\/terminal\/(report|table)|insight\/tree-report)\.ts$/, priority: 1 },
  {
    name: 'pictures',
    test: /\/web\/(cli\/(terminal\/show-drawn|commands\/draw)|plot\/histogram)\.ts$/,
    priority: 1,
  },
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
      entry: path('web/features/jsroot/view/frame.ts'),
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

/** Packages that only those install who want PNG, or a server for assistants: they are not bundled. */
const OPTIONAL_PACKAGES = [
  '@resvg/resvg-js',
  '@modelcontextprotocol/server',
  '@modelcontextprotocol/server/stdio',
];

/** Adds the places where statements and members of classes below a node of a syntax tree start. */
function addStarts(node: unknown, starts: Set<number>): void {
  if (typeof node !== 'object' || node === null) return;
  const { type, body, consequent } = node as { type?: string; body?: unknown; consequent?: unknown };
  const list = type === 'SwitchCase' ? consequent : body;
  if (type !== undefined && Array.isArray(list))
    for (const { start } of list as { start: number }[]) starts.add(start);
  for (const child of Object.values(node)) addStarts(child, starts);
}

/**
 * A line for each statement. Node shows the line that threw what nobody caught, and a module without lines would be
 * shown whole; a line for each expression and its indentation would be 70 kB more of the package.
 */
function lineForEachStatement(): Plugin {
  return {
    name: 'xylem:line-for-each-statement',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const starts = new Set<number>();
        addStarts(parseAst(chunk.code), starts);
        const places = [0, ...[...starts].filter((start) => start > 0).sort((a, b) => a - b)];
        chunk.code = places.map((place, i) => chunk.code.slice(place, places[i + 1])).join('\n');
      }
    },
  };
}

/**
 * Drops imports of parts from which nothing is taken, because all that was taken had been put in place. No part has
 * effects, as package.json says, and other bundlers warn of such an import.
 */
function withoutBareImports(): Plugin {
  return {
    name: 'xylem:without-bare-imports',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk' && !chunk.isEntry)
          chunk.code = chunk.code.replace(/^import\s*["']\.{1,2}\/[^"'\n]+["'];?$/gm, '');
    },
  };
}

/**
 * Removes parts that only name what another part has: an import of one is an import of the other, which saves loading a
 * module.
 */
function withoutFacades(): Plugin {
  const facade = /^export\s*\{([^}]*)\}\s*from\s*["']\.\/([^"']+)["'];?\s*$/;
  return {
    name: 'xylem:without-facades',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((chunk) => chunk.type === 'chunk');
      for (const { fileName, code, isEntry } of chunks) {
        const [, names = '', target = ''] = facade.exec(code) ?? [];
        if (isEntry || target === '' || chunks.some(({ imports }) => imports.includes(fileName))) continue;
        const members = names.split(',').map((name) => {
          const [own = '', given = own] = name.trim().split(/\s+as\s+/);
          return `${given}:e.${own}`;
        });
        const base = fileName.slice(CHUNKS.length).replaceAll('.', '\\.');
        const loads = new RegExp(`import\\(([\`"'][^\`"']*/)${base}([\`"'])\\)`, 'g');
        for (const chunk of chunks)
          chunk.code = chunk.code.replace(
            loads,
            (_all, folder: string, end: string) =>
              `import(${folder}${target}${end}).then(e=>({${members.join()}}))`,
          );
        delete bundle[fileName];
      }
    },
  };
}

/** A build that leaves `new URL(…, import.meta.url)` alone and bundles every package. */
function modules(
  input: Record<string, string>,
  target: 'node' | 'webworker',
  groups: Group[] = [],
): UserConfig {
  return {
    ...common,
    plugins: [
      siblingUrls(),
      sharedParts('top:xylem-viewer/'),
      ...(target === 'node' ? [withoutFacades(), lineForEachStatement(), withoutBareImports()] : []),
    ],
    // A test that starts the command line hands its own environment down to it.
    define: { 'process.env.VITEST': 'undefined' },
    ssr: {
      noExternal: true,
      target,
      ...(target === 'node' ? { external: [...builtinModules, ...OPTIONAL_PACKAGES] } : {}),
    },
    build: {
      ...common.build,
      outDir: path('dist'),
      ssr: true,
      minify: false,
      rolldownOptions: {
        input,
        // A part is imported for what it exports, which is what package.json says to bundlers.
        treeshake: { moduleSideEffects: false },
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: `${CHUNKS}[name]-[hash].js`,
          format: 'es',
          // Local names are short: 150 kB of the package.
          minify: { mangle: { toplevel: false }, compress: true, codegen: { removeWhitespace: true } },
          ...(target === 'node' && { comments: { legal: true, annotation: false, jsdoc: false } }),
          // Vite joins everything for a web worker otherwise.
          codeSplitting: groups.length > 0 ? { groups } : true,
        },
      },
    },
  };
}

const browserEntries = { index: 'web/index.ts' };
/** A build of its own: what it has in common with the library would be more files for a page that imports only one. */
const plotEntries = { plot: 'web/plot/public/plot-svg.ts' };
const nodeEntries = { node: 'web/node.ts' };
/** The parts of the command line that others load, and the script that loads the first. */
const programEntries = {
  'cli/main': 'web/cli/process/main.ts',
  'cli/thread': 'web/cli/process/thread.ts',
};
const launchEntries = { 'cli/xylem': 'web/cli/process/xylem.ts' };
/** One file each, so that one who bundles without knowledge of workers has one file to copy. */
const workerEntries = {
  webworker: { 'xylem.worker': 'workers/xylem.worker.ts' },
  insight: { 'xylem-insight.worker': 'workers/xylem-insight.worker.ts' },
  selector: { 'xylem-selector.worker': 'web/features/selectors/threads/xylem-selector.worker.ts' },
  node: { 'node-decode.worker': 'workers/node-decode.worker.ts' },
};

/** A node of a syntax tree. */
type Syntax = { type: string; start: number; end: number } & Record<string, unknown>;

/** Calls `visit` with each node below one, and the node above it. */
function walkSyntax(node: Syntax, visit: (node: Syntax, above: Syntax) => void): void {
  for (const child of Object.values(node).flat()) {
    if (typeof child !== 'object' || child === null || typeof (child as Syntax).type !== 'string') continue;
    visit(child as Syntax, node);
    walkSyntax(child as Syntax, visit);
  }
}

/**
 * Makes modules of CommonJS to functions, which web/cli/process/parts.ts calls. Parts and modules of Node are loaded where they are
 * first used, other modules where a part is imported that needs them. All text is ASCII, which is read without decoding.
 */
function programParts(): Plugin {
  return {
    name: 'xylem:program-parts',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((chunk) => chunk.type === 'chunk');
      const needs = (name: string, seen = new Set<string>()): string[] => {
        const chunk = chunks.find(({ fileName }) => fileName === name);
        if (chunk === undefined || seen.has(name)) return [];
        seen.add(name);
        const own = [...chunk.code.matchAll(/\brequire\("(\.\.\/xylem-viewer\/[^"]+)"\)/g)].map(
          ([, module = '']) => module,
        );
        return [...new Set([...own, ...chunk.imports.flatMap((one) => needs(one, seen))])];
      };
      const needed = new Map(chunks.map(({ fileName }) => [fileName, needs(fileName)]));
      for (const chunk of chunks) {
        const code = lazyLoads(chunk.code)
          .replace(
            /Promise\.resolve\(\)\.then\(\(\)=>require\(["'`]\.\/([^"'`]+)["'`]\)\)/g,
            (_all, name: string) => {
              const modules = needed.get(`cli/${name}`) ?? [];
              return `later("./${name}"${modules.length > 0 ? `,${JSON.stringify(modules)}` : ''})`;
            },
          )
          .replace(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
        // Who goes over the names of an imported part gets those of the module that was asked for.
        const own =
          chunk.facadeModuleId == null ? undefined : this.getModuleInfo(chunk.facadeModuleId)?.exports;
        const exact = code.replace(
          /(Object\.defineProperty\(exports,["'`])([\w$]+)(["'`],\{enumerable:)!0/g,
          (all, before: string, name: string, after: string) =>
            own === undefined || own.includes(name) ? all : `${before}${name}${after}!1`,
        );
        if (/\.then\(\(\)=>require\(/.test(code))
          this.error(`${chunk.fileName} loads a part in another way.`);
        chunk.code = `(function(exports,require,later,xylem_import,xylemOwnUrl){${exact}\n})`;
      }
    },
  };
}

/** The same module of CommonJS, but each module of Node, and each part, is loaded where it is used. */
function lazyLoads(code: string): string {
  const tree = parseAst(code) as unknown as Syntax;
  const names = new Map<string, Syntax>();
  const uses = new Map<string, Syntax[]>();
  const other = new Set<string>();
  const edits: { at: number; text: string }[] = [];
  walkSyntax(tree, (node, above) => {
    if (node.type === 'VariableDeclarator') {
      const [name] =
        /^[\w$]+(?==require\("(?:node:|\.\/)[^"]+"\)$)/.exec(code.slice(node.start, node.end)) ?? [];
      if (name !== undefined) names.set(name, node.init as Syntax);
    }
    // Node imports from such functions only by an experimental option, of which it warns.
    if (node.type === 'ImportExpression') edits.push({ at: node.start, text: 'xylem_' });
    if (node.type !== 'Identifier') return;
    const name = node.name as string;
    if (above.type === 'MemberExpression' && above.object === node)
      uses.set(name, [...(uses.get(name) ?? []), node]);
    else if (above.type !== 'VariableDeclarator' && !('key' in above) && above.type !== 'MemberExpression')
      other.add(name);
  });
  const loaded: string[] = [];
  for (const [name, init] of names) {
    // It is taken apart at once, or given on.
    if (other.has(name)) continue;
    loaded.push(`$${name}`);
    edits.push({ at: init.start, text: `()=>$${name}??=` });
    for (const { start, end } of uses.get(name) ?? []) {
      const made = /\bnew\s*$/.test(code.slice(Math.max(0, start - 8), start));
      if (made) edits.push({ at: start, text: '(' });
      edits.push({ at: end, text: made ? '())' : '()' });
    }
  }
  edits.sort((a, b) => a.at - b.at);
  const pieces = edits.map(({ at, text }, i) => code.slice(edits[i - 1]?.at ?? 0, at) + text);
  const rest = code.slice(edits.at(-1)?.at ?? 0);
  return `${pieces.join('')}${rest}${loaded.length > 0 ? `\nvar ${loaded.join()};` : ''}`;
}

/** The parts of the command line. */
function program(): UserConfig {
  const config = modules(present(programEntries), 'node', nodeGroups);
  const output = config.build?.rolldownOptions?.output;
  if (!output || Array.isArray(output)) return config;
  return {
    ...config,
    plugins: [siblingUrls(), sharedParts('../xylem-viewer/'), lineForEachStatement(), programParts()],
    define: { ...config.define, 'import.meta.url': 'xylemOwnUrl' },
    build: {
      ...config.build,
      rolldownOptions: {
        ...config.build?.rolldownOptions,
        output: {
          ...output,
          format: 'cjs',
          entryFileNames: '[name].cjs',
          chunkFileNames: 'cli/[name]-[hash].cjs',
        },
      },
    },
  };
}

/** The script that loads these parts, which are built. */
function launch(): UserConfig {
  const folder = path('dist/cli');
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort())
    if (name.endsWith('.cjs')) hash.update(name).update(readFileSync(resolve(folder, name)));
  const config = whole(modules(launchEntries, 'node'));
  const output = config.build?.rolldownOptions?.output;
  // Node takes longer to load a module than a script: dist/cli has a package.json of its own for it.
  if (output && !Array.isArray(output)) output.format = 'cjs';
  return {
    ...config,
    plugins: [lineForEachStatement()],
    define: { ...config.define, PROGRAM_BUILD: JSON.stringify(hash.digest('base64url').slice(0, 16)) },
  };
}

/** One file; `minify` where no bundler will do it. */
function whole(config: UserConfig, minify = false): UserConfig {
  const output = config.build?.rolldownOptions?.output;
  if (output && !Array.isArray(output)) {
    output.codeSplitting = false;
    if (minify) output.minify = true;
  }
  return config;
}

export default defineConfig(({ mode }) => {
  switch (mode) {
    case 'element':
      return element;
    case 'one':
      return one('xylem-viewer.one.js', /-write/, (font) => `${font}.woff`);
    case 'vscode':
      return one('xylem-viewer.vscode.js', /./, (font) => `xylem-viewer/${builtShared(`shared-${font}`)}`);
    case 'jupyter':
      return jupyter;
    case 'jupyterlab':
      return lab;
    case 'jsroot':
      return jsroot;
    case 'shared':
      return shared;
    case 'selector':
      return selector;
    case 'library':
      return modules(present(browserEntries), 'webworker');
    case 'plot':
      return modules(plotEntries, 'webworker');
    case 'node':
      return modules(present(nodeEntries), 'node', nodeGroups);
    case 'program':
      return program();
    case 'launch':
      return launch();
    case 'library-worker':
      return whole(modules(workerEntries.webworker, 'webworker'), true);
    case 'library-insight':
      return whole(modules(workerEntries.insight, 'webworker'), true);
    case 'library-selector':
      return whole(modules(workerEntries.selector, 'webworker'), true);
    case 'node-worker':
      return whole(modules(workerEntries.node, 'node'));
    default:
      return page;
  }
});
