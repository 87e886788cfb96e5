// Writes what is inside of the published package, for those who have to know it: a software bill of materials (SBOM) in the
// form of CycloneDX 1.5, on stdout.
//   node scripts/sbom.mjs > xylem-0.1.0.cdx.json
// `npm sbom` lists what an installation gets beside the package, which is nothing: the parts are compiled into it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, runMain, StepError } from './run.mjs';
import { thirdParties } from './third-party.mjs';

/**
 * Where the sources that the build compiles say their version: crates have versions of their own.
 * @type {Record<string, [header: string, names: RegExp]>}
 */
const HEADERS = {
  libdeflate: ['libdeflate-sys/libdeflate/libdeflate.h', /LIBDEFLATE_VERSION_STRING\s+"([^"]+)"/g],
  'Zstandard and xxHash': [
    'zstd-sys/zstd/lib/zstd.h',
    /define ZSTD_VERSION_(?:MAJOR|MINOR|RELEASE)\s+(\d+)/g,
  ],
  LZ4: ['lz4-sys/liblz4/lib/lz4.h', /define LZ4_VERSION_(?:MAJOR|MINOR|RELEASE)\s+(\d+)/g],
  'liblzma of XZ Utils': [
    'liblzma-sys/xz/src/liblzma/api/lzma/version.h',
    /define LZMA_VERSION_(?:MAJOR|MINOR|PATCH)\s+(\d+)/g,
  ],
};

/** @param {string} name @param {string | undefined} version that of its package */
async function versionOf(name, version) {
  const [header, names] = HEADERS[name] ?? [];
  if (header === undefined || names === undefined) return version;
  const text = await readFile(join(root, 'wasm/vendor', header), 'utf8');
  const found = [...text.matchAll(names)].map(([, digits]) => digits).join('.');
  if (found === '') throw new StepError(`wasm/vendor/${header} does not say its version.`);
  return found;
}

/** @param {string} licence */
const licenses = (licence) => {
  if (licence === 'MgOpen') return [{ license: { name: licence } }];
  return licence.includes(' ') ? [{ expression: licence }] : [{ license: { id: licence } }];
};

/** @returns {Promise<{ components: { name: string, version?: string | undefined, licenses: object[], [key: string]: unknown }[], [key: string]: unknown }>} */
export async function sbom() {
  const { name, version, license, description } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  );
  const components = await Promise.all(
    (await thirdParties()).map(async (part) => ({
      type: 'library',
      'bom-ref': part.purl ?? part.name,
      name: part.name,
      ...(part.version && { version: await versionOf(part.name, part.version) }),
      licenses: licenses(part.licence),
      ...(part.purl && { purl: part.purl }),
      ...(part.name.startsWith('Zstandard') && {
        pedigree: { notes: 'Changed by the patches in wasm/patches of the sources.' },
      }),
    })),
  );
  const ref = `pkg:npm/${name}@${version}`;
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        ...{ type: 'library', 'bom-ref': ref, name, version, description },
        ...{ licenses: licenses(license), purl: ref },
      },
    },
    components,
    dependencies: [{ ref, dependsOn: components.map((one) => one['bom-ref']) }],
  };
}

if (process.argv[1] === import.meta.filename) {
  await runMain(async () => {
    process.stdout.write(`${JSON.stringify(await sbom(), null, 2)}\n`);
  });
}
