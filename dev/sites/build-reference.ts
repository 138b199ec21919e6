import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { builtInputs, buildSite, type BuiltSite } from './build-site.ts';
import { hashFiles, listFiles } from './hash-files.ts';

const ROOT = join(import.meta.dirname, '../..');
const SOURCE = join(import.meta.dirname, 'reference');
const PACKAGE = '@scalar/fastify-api-reference';
const RENDERER = join(ROOT, 'node_modules', PACKAGE);
/** The highest quality takes ten seconds and saves a tenth of the bytes. */
const QUALITY = 9;

/**
 * Builds the page of the API reference, unless the folder has it already. Its document comes from the running API.
 * Returns its size, or undefined if nothing changed.
 */
export async function buildReference({ folder = join(ROOT, 'dist/reference') } = {}): Promise<BuiltSite | undefined> {
  const inputs = await hashInputs();
  if ((await builtInputs(folder)) === inputs) return undefined;
  if (!existsSync(RENDERER))
    throw new Error('The renderer of the API reference is a development package. Run `npm ci`.');
  return await buildSite({
    folder: SOURCE,
    script: 'main.ts',
    style: 'style.css',
    icon: '../../../dashboard/icon.svg',
    outdir: folder,
    inputs,
    quality: QUALITY,
    plugins: [renderer()],
  });
}

async function hashInputs(): Promise<string> {
  const folders = await Promise.all(
    ['dev/sites/reference', 'dev/sites'].map((folder) => listFiles(ROOT, folder, { isDeep: false })),
  );
  return await hashFiles(ROOT, [
    'package-lock.json',
    'dashboard/icon.svg',
    'dashboard/style/tokens.css',
    ...folders.flat(),
  ]);
}

/**
 * Resolves the package to the address of the renderer that it serves, one script. The package is a plugin of another
 * server. It has the renderer in one file, where `@scalar/api-reference` is built from 211 packages.
 */
function renderer(): Plugin {
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
