import { execFile, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { lacks } from '../needs';

const root = resolve(import.meta.dirname, '../..');
const python = spawnSync('python3', ['--version']).status === 0;

test.skipIf(lacks('python3', python))(
  'what a notebook saves of signed addresses has no secret: state, names, errors of all kinds of files',
  async () => {
    const script = resolve(root, 'hosts/jupyter/tests/secrets.py');
    const { stdout, stderr } = await promisify(execFile)('python3', [script, resolve(root, 'adapters')]);
    const looked = JSON.parse(stdout) as Record<string, string>;
    expect(Object.keys(looked).length).toBeGreaterThan(60);
    expect(`${stdout}${stderr}`).not.toContain('CANARY');
    // It has looked at what works, and at what fails.
    expect(Object.values(looked).filter((text) => text.includes('Error')).length).toBeGreaterThan(20);
    expect(Object.values(looked).filter((text) => text.includes('good.root')).length).toBeGreaterThan(4);
  },
);
