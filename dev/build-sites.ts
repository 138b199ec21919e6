import { buildGuides } from './guides/build-guides.ts';
import { buildDashboard } from './sites/build-dashboard.ts';
import { buildReference } from './sites/build-reference.ts';

interface Site {
  readonly title: string;
  /** Builds the site unless its folder has it already. Returns true if it built. */
  readonly build: (options: { readonly signal?: AbortSignal }) => Promise<boolean>;
}

/** The sites that the API serves. */
export const sites = {
  dashboard: { title: 'dashboard', build: async () => (await buildDashboard()) !== undefined },
  reference: { title: 'API reference', build: async () => (await buildReference()) !== undefined },
  guides: { title: 'guides', build: buildGuides },
} satisfies Record<string, Site>;

export type SiteName = keyof typeof sites;

const isSiteName = (name: string): name is SiteName => Object.hasOwn(sites, name);

/** Enough to remove unfinished files. */
const LAST_STEPS_MS = 1_000;

function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      stopping.abort();
      setTimeout(() => process.exit(1), LAST_STEPS_MS).unref();
    });
  }
  return stopping.signal;
}

interface BuildOptions {
  /** Optional. Default: all. */
  readonly names?: readonly string[];
  readonly signal?: AbortSignal;
  readonly say?: (text: string) => void;
}

/** Builds sites in turn, unless their folders have them already. */
export async function buildSites({ names = Object.keys(sites), signal, say }: BuildOptions = {}): Promise<void> {
  for (const name of names) {
    if (!isSiteName(name)) throw new Error(`Unknown site '${name}'. Use ${Object.keys(sites).join(', ')}.`);
    const { title, build }: Site = sites[name];
    const startedAtMs = performance.now();
    const isBuilt = await build(signal ? { signal } : {});
    signal?.throwIfAborted();
    const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
    say?.(isBuilt ? `Built the ${title} in ${seconds} s.` : `The ${title} did not change.`);
  }
}

if (import.meta.main) {
  const names = process.argv.slice(2);
  const signal = stopSignal();
  try {
    await buildSites({ ...(names.length > 0 && { names }), signal, say: (text) => console.log(text) });
  } catch (error) {
    if (!signal.aborted) console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
