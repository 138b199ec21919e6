import type { Plugin } from 'esbuild';

const PACKAGE = '@scalar/fastify-api-reference';

/**
 * Resolves the package to the address of the renderer that it serves, one script. The package is a plugin of another
 * server. It has the renderer in one file, where `@scalar/api-reference` is built from 211 packages.
 */
export function renderer(): Plugin {
  return {
    name: 'renderer',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${PACKAGE}$`) }, () => ({ path: 'renderer.js', namespace: 'renderer' }));
      build.onLoad({ filter: /^/, namespace: 'renderer' }, async () => {
        return { contents: await servedScript(), loader: 'file' };
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
