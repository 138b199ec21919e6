import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../checks/source-files.ts';
import { textOf } from './run-command.ts';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}
interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly dev?: true;
  readonly devOptional?: true;
}
interface Lock {
  readonly packages: Readonly<Record<string, Locked>>;
}

/**
 * Returns what `npm sbom` prints for the production packages, in both formats. `npm sbom --omit=dev` does not suffice:
 * it also omits production packages that a development package needs (npm 11.19). It reads a lock file without
 * development packages instead.
 */
export async function npmSboms(): Promise<{ readonly cyclonedx: string; readonly spdx: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'production-lock-'));
  try {
    const manifest = withoutDevelopment(JSON.parse(await readText('package.json')) as Manifest);
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(await productionLock()));
    const printed = (format: string) =>
      textOf('npm', ['sbom', '--package-lock-only', '--sbom-format', format, '--sbom-type', 'application'], folder);
    return { cyclonedx: await printed('cyclonedx'), spdx: await printed('spdx') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the lock file without development packages and workspaces. */
export async function productionLock(): Promise<Lock> {
  const lock = JSON.parse(await readText('package-lock.json')) as Lock;
  const kept = Object.entries(lock.packages).flatMap(([path, locked]): [string, Locked][] => {
    if (path === '') return [[path, withoutDevelopment({ ...locked }) as Locked]];
    return path.startsWith('node_modules/') && !locked.dev && !locked.devOptional && !('link' in locked)
      ? [[path, locked]]
      : [];
  });
  return { ...lock, packages: Object.fromEntries(kept) };
}

function withoutDevelopment(manifest: Manifest): Manifest {
  const { devDependencies: _unused, overrides = {}, workspaces: _packed, ...kept } = manifest;
  const known = Object.keys(kept.dependencies ?? {});
  const usable = Object.entries(overrides).filter(([, override]) =>
    referencesIn(override).every((name) => known.includes(name)),
  );
  return { ...kept, overrides: Object.fromEntries(usable) };
}

/** An override such as `$typescript` takes the version of a direct dependency, which may be a development package. */
function referencesIn(override: unknown): readonly string[] {
  return [...JSON.stringify(override).matchAll(/"\$([^"]+)"/g)].map(([, name = '']) => name);
}

const readText = (path: string): Promise<string> => readFile(join(projectRoot, path), 'utf8');
