// The used parts of this library. They are one file of the package, for all of its parts: see `sharedFormats` in vite.config.ts.
export { ByteWriter, ParquetWriter } from 'hyparquet-writer';
