import { runInNewContext } from 'node:vm';
import type { Plugin } from 'esbuild';
import { adaptRenderer } from './adapt-renderer.ts';

const PACKAGE = '@scalar/fastify-api-reference';
/** The first statement of the script adds the style sheet to the page. */
const END_OF_STYLE = '})();\n';

/**
 * Resolves the package to the renderer that it serves: a script, and its style sheet as `style.css`. The package is a
 * plugin of another server. It has the renderer in one file, where `@scalar/api-reference` is built from 211 packages.
 */
export function renderer(): Plugin {
  return {
    name: 'renderer',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${PACKAGE}`) }, ({ path }) => ({ path, namespace: 'renderer' }));
      build.onLoad({ filter: /^/, namespace: 'renderer' }, async ({ path }) => {
        const { style, script } = split(await servedScript());
        return path.endsWith('.css')
          ? { contents: style, loader: 'css' }
          : { contents: adaptRenderer(script), loader: 'js' };
      });
    },
  };
}

interface Route {
  readonly url: string;
  readonly handler: (request: object, reply: object) => unknown;
}

async function servedScript(): Promise<string> {
  const plugin: unknown = (await import(PACKAGE)).default;
  if (typeof plugin !== 'function') throw new Error(`${PACKAGE} exports no plugin`);
  const routes: Route[] = [];
  const server = { route: (route: Route) => routes.push(route), hasPlugin: () => false, initialConfig: {} };
  plugin(server, { routePrefix: '/', configuration: { url: '/openapi.json' } }, () => undefined);
  const reply = { header: () => reply, send: (body: unknown) => body };
  const script = routes.find(({ url }) => url.endsWith('.js'))?.handler({}, reply);
  if (typeof script !== 'string') throw new Error(`${PACKAGE} serves no script`);
  return script;
}

function split(served: string): { readonly style: string; readonly script: string } {
  const end = served.indexOf(END_OF_STYLE) + END_OF_STYLE.length;
  let style = '';
  const element = { setAttribute: () => undefined, appendChild: (text: string) => (style += text) };
  const head = { querySelector: () => null, appendChild: () => undefined };
  const document = { head, createElement: () => element, createTextNode: (text: string) => text };
  runInNewContext(served.slice(0, end), { document });
  if (style === '') throw new Error(`${PACKAGE} has no style sheet at the start of its script`);
  return { style, script: served.slice(end) };
}
