import { unsupported } from '../base/data-errors';

/** A module: its bytes, or those raw deflated and as base64. */
export type GivenModule = ArrayBuffer | string;

let give: (file: string) => Promise<GivenModule> = () =>
  Promise.reject(
    unsupported(
      'This viewer writes no ROOT files.',
      'Open the file with the page or with the command line of xylem.',
    ),
  );

/** `given` is called once for each module that this script has not, by the name of its file, when it is needed. */
export function giveModules(given: (file: string) => Promise<GivenModule>): void {
  give = given;
}

/** A module of the host, in the place of a part of the element: see vite.config.ts. */
export const givenModule = (file: string): Promise<GivenModule> => give(file);
