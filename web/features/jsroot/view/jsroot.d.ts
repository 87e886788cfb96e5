/** The part of JSROOT that draws, which vite.config.ts builds from its modules. */
declare module 'jsroot/browser' {
  /** The used part of the object that draws. */
  export interface Painter {
    getCanvPainter?(): { produceImage?(whole: boolean, format: string): Promise<string> } | null | undefined;
    /** For geometries: the picture as a data address of a PNG. */
    createSnapshot?(name: 'asis'): string | undefined;
  }
  export function draw(
    place: HTMLElement,
    object: unknown,
    option?: string,
  ): Promise<Painter | null | undefined>;
  export function parse(json: string): unknown;
  export function resize(place: HTMLElement): void;
  export function cleanup(place: HTMLElement): void;
  /** Replaces how JSROOT's menus save a file. */
  export function setSaveFile(save: (name: string, content: string) => void): void;
  /** Style of JSROOT's own additions to a drawing, as ROOT's gStyle. */
  export const gStyle: { fOptFit: number };
  export const settings: { ToolBar: boolean | string };
}
