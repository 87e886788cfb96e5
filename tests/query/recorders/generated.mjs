// Compares xylem with the pairs of generated.py: node tests/query/recorders/generated.mjs build/generated/SEED.json
import { createServer } from 'vite';

const server = await createServer({
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, watch: null, hmr: false, ws: false },
});
const { compareAll } = await server.ssrLoadModule(new URL('generated.ts', import.meta.url).pathname);
await compareAll(process.argv[2]);
await server.close();
