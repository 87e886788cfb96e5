import { afterEach, expect, test, vi } from 'vitest';
import { compileCore } from '../../web/core/load';
import { instantiate } from '../../web/core/module';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a browser without WebAssembly is told so, and not that the address of the core is wrong', async () => {
  vi.stubGlobal('WebAssembly', undefined);
  await expect(compileCore(new Uint8Array(8), 'https://x/xylem.wasm')).rejects.toMatchObject({
    code: 'UNSUPPORTED',
    message: expect.stringContaining('does not run WebAssembly'),
    fix: expect.stringContaining('Lockdown Mode'),
  });
});

test('bytes that are not the core are said to be none', async () => {
  await expect(compileCore(new Uint8Array(8), 'https://x/xylem.wasm')).rejects.toMatchObject({
    code: 'INTERNAL',
    message: expect.stringContaining('https://x/xylem.wasm is not xylem.wasm'),
  });
});

test('memory that is refused is a lack of memory, and no fault of the policy of a page', async () => {
  const refused = new RangeError('Out of memory: Cannot allocate Wasm memory for new instance');
  vi.spyOn(WebAssembly, 'instantiate').mockRejectedValueOnce(refused);
  await expect(instantiate({} as WebAssembly.Module)).rejects.toMatchObject({
    code: 'BUDGET',
    fix: expect.stringContaining('ulimit -v'),
  });
});
