// The browser the tests run in.
import { existsSync } from 'node:fs';

export function findBrowser() {
  const names = [process.env.SINEW_BROWSER, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  return names.find((n) => n && existsSync(n));
}
