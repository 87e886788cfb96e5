/** The part of JSROOT that draws, put together by vite.config.ts from its modules. */
declare module 'jsroot/browser' {
  export function draw(place: HTMLElement, object: unknown, option?: string): Promise<unknown>;
  export function parse(json: string): unknown;
  export function resize(place: HTMLElement): void;
  export function cleanup(place: HTMLElement): void;
}
