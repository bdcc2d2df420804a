// Runs the tests of the viewer; 77: there is no browser to run them in, or no viewer to test.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
if (!existsSync(join(here, '../node_modules/playwright-core'))) {
  console.log('skipped: playwright-core is not installed (the viewer was not built)');
  process.exit(77);
}
const { findBrowser } = await import('./browser.mjs');
if (!findBrowser()) {
  console.log('skipped: there is no chromium here');
  process.exit(77);
}
const wanted = process.argv[2] ?? '';
const files = readdirSync(here).filter((f) => f.endsWith('.test.mjs') && f.includes(wanted));
const run = spawnSync(process.execPath, ['--test', '--test-concurrency=1', ...files.map((f) => join(here, f))], { stdio: 'inherit' });
process.exit(run.status ?? 1);
