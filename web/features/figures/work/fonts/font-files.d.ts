/** A font as an address with its data. */
declare module '*.woff?inline' {
  const address: string;
  // biome-ignore lint/style/noDefaultExport: Vite exports it so
  export default address;
}
