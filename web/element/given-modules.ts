import { unsupported } from '../base/data-errors';

/** A module: its bytes, or its raw deflated bytes as base64. */
export type GivenModule = ArrayBuffer | string;

let give: (file: string) => Promise<GivenModule> = () =>
  Promise.reject(
    unsupported(
      'This viewer writes no ROOT files.',
      'Open the file with the page or with the command line of xylem.',
    ),
  );

/** Calls `given` with the file name of each module that this script lacks, once, when the module is needed. */
export function giveModules(given: (file: string) => Promise<GivenModule>): void {
  give = given;
}

/** A module that the host gives, in place of a part of the element: see vite.config.ts. */
export const givenModule = (file: string): Promise<GivenModule> => give(file);
