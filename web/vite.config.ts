// One HTML file with everything in it: the program carries it, and a report opens from disk.
import { defineConfig, type Plugin } from 'vite';

function inline(): Plugin {
  return {
    name: 'inline',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle['index.html'];
      if (!page || page.type !== 'asset') throw new Error('no page');
      let html = String(page.source);
      let script = '';
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type === 'chunk') {
          script += part.code;
          html = html.replace(new RegExp(`<script[^>]*${name}[^>]*></script>`), '');
        } else if (name.endsWith('.css')) {
          html = html.replace(new RegExp(`<link[^>]*${name}[^>]*>`), () => `<style>${String(part.source)}</style>`);
        } else continue;
        delete bundle[name];
      }
      const safe = script.replace(/<\/script/g, '<\\/script').replace(/<!--/g, '<\\!--');
      page.source = html.replace('</body>', () => `<script type="module">${safe}</script>\n</body>`);
    },
  };
}

export default defineConfig({
  plugins: [inline()],
  build: { target: 'es2022', modulePreload: false, assetsInlineLimit: 1 << 20, cssCodeSplit: false },
});
