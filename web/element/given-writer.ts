import { XylemError } from '../base/errors';

type Load = () => Promise<string>;

let load: Load = () =>
  Promise.reject(
    new XylemError({
      code: 'UNSUPPORTED',
      message: 'This viewer writes no ROOT files.',
      fix: 'Open the file with the page or with the command line of xylem.',
    }),
  );

/** `given` is called once, for the first file that is written. It returns `xylem-write.wasm`, raw deflated and as base64. */
export function giveWriter(given: Load): void {
  load = given;
}

// biome-ignore lint/style/noDefaultExport: in the place of a part of the element, see vite.config.ts
export default (): Promise<string> => load();
