// Loaded before a program (node --import): the thread that opens a file that has no final name yet never does anything
// else, like a loop that has no end.
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { open } = fs;
fs.open = async (path, ...rest) => {
  const file = await open(path, ...rest);
  if (String(path).endsWith('.unfinished')) for (;;);
  return file;
};
syncBuiltinESMExports();
