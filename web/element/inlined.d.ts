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
