// equations.mjs - sets the equations of all pages of the site with KaTeX, and copies its styles and fonts:
// node equations.mjs SITE. An equation that KaTeX does not understand is an error.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const katex = createRequire(import.meta.url)('katex');
const site = process.argv[2];
const plain = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" };
let failed = 0;

function set(page, tag, escaped) {
  const tex = escaped.replace(/&(amp|lt|gt|quot|#x27);/g, (entity) => plain[entity]);
  try {
    const equation = katex.renderToString(tex, { displayMode: tag === 'div', throwOnError: true, strict: 'error' });
    return tag === 'div' ? `<div class="equation">${equation}</div>` : equation;
  } catch (error) {
    console.error(`${page}: ${error.message}`);
    failed += 1;
    return '';
  }
}

for (const name of readdirSync(site, { recursive: true })) {
  if (!name.endsWith('.html')) continue;
  const path = join(site, name);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(' class="tex">')) continue;
  // A sign after a short equation stays on its line: browsers break lines after any box.
  const short = text.replace(/<span class="tex">([^<]{1,24})<\/span>([.,;:!?)]+)/g, (_, tex, signs) => `<span class="whole">${set(name, 'span', tex)}${signs}</span>`);
  writeFileSync(path, short.replace(/<(span|div) class="tex">([^<]*)<\/\1>/g, (_, tag, tex) => set(name, tag, tex)));
}
if (failed) process.exit(1);

// Every browser of today reads woff2.
const from = dirname(createRequire(import.meta.url).resolve('katex'));
const to = join(site, '_static/katex');
mkdirSync(join(to, 'fonts'), { recursive: true });
const styles = readFileSync(join(from, 'katex.min.css'), 'utf8');
writeFileSync(join(to, 'katex.min.css'), styles.replace(/,url\([^)]*\.(woff|ttf)\) format\("[a-z]*"\)/g, ''));
for (const font of readdirSync(join(from, 'fonts')))
  if (font.endsWith('.woff2')) cpSync(join(from, 'fonts', font), join(to, 'fonts', font));
