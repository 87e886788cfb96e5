/** A file's bytes, deflated and as base64: see vite.config.ts. */
declare module '*?deflated' {
  const base64: string;
  // biome-ignore lint/style/noDefaultExport: as bundlers give files
  export default base64;
}
