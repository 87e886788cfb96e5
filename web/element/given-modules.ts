import { unsupported } from '../base/data-errors';

/** A module: its bytes, or its raw deflated bytes as base64. A font: its bytes, or a text with its address "data:…;base64,…". */
export type GivenModule = ArrayBuffer | string;

let give: (file: string) => Promise<GivenModule> = (file) =>
  Promise.reject(
    unsupported(
      file.endsWith('.wasm') ? 'This viewer writes no ROOT files.' : 'This viewer has no fonts for figures.',
      'Open the file with the page or with the command line of xylem.',
    ),
  );

/** Calls `given` with the file name of each module and font that this script lacks, once, when the module is needed. */
export function giveModules(given: (file: string) => Promise<GivenModule>): void {
  give = given;
}

/** A module or a font that the host gives, in place of a part of the element: see vite.config.ts. */
export const givenModule = (file: string): Promise<GivenModule> => give(file);
