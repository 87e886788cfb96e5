/** A file's bytes, deflated and as base64: see vite.config.ts. */
declare module '*?deflated' {
  const base64: string;
  // biome-ignore lint/style/noDefaultExport: as bundlers give files
  export default base64;
}

/** The script of a worker with all that it needs, as text: see vite.config.ts. */
declare module '*?worker&inline&text' {
  const script: string;
  // biome-ignore lint/style/noDefaultExport: as bundlers give files
  export default script;
}

/** The first part of the script of a worker, as text, which defines `xylemModules` and `xylemStart`: see vite.config.ts. */
declare module '*.worker?first' {
  const script: string;
  // biome-ignore lint/style/noDefaultExport: as bundlers give files
  export default script;
}

/** The rest of that script. */
declare module '*.worker?rest' {
  const add: import('../../workers/rest-of-script').AddRest;
  // biome-ignore lint/style/noDefaultExport: as bundlers give files
  export default add;
}

/** The name of the file with the rest, in the folder of the element's script. */
declare const REST_FILE: string;
