import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { userCache } from '../../dev/temporal/user-cache.ts';

const execFileResult = promisify(execFile);

/** The version in deploy/compose.yaml. */
export const temporalServerVersion = '1.32.1';
const VERSION_TIMEOUT_MS = 10_000;

export interface TemporalBinaries {
  readonly server: string;
  readonly sqlTool: string;
}

const programs = [
  { key: 'server', name: 'temporal-server', module: 'cmd/server', built: 'server' },
  { key: 'sqlTool', name: 'temporal-sql-tool', module: 'cmd/tools/sql', built: 'sql' },
] as const;

/** Looks on PATH and in the cache, or builds with Go once. */
export async function findTemporalBinaries(say: (text: string) => void): Promise<TemporalBinaries> {
  const folder = userCache(`temporal-server-${temporalServerVersion}`);
  const found = { server: '', sqlTool: '' };
  for (const program of programs) {
    const cached = join(folder, program.name);
    const there = (await isVersioned(program.name)) ? program.name : (await isVersioned(cached)) ? cached : undefined;
    found[program.key] = there ?? (await build({ ...program, target: cached, say }));
  }
  return found;
}

async function isVersioned(command: string): Promise<boolean> {
  try {
    const { stdout } = await execFileResult(command, ['--version'], { timeout: VERSION_TIMEOUT_MS });
    return stdout.includes(temporalServerVersion);
  } catch {
    return false;
  }
}

interface Build {
  readonly name: string;
  readonly module: string;
  readonly built: string;
  readonly target: string;
  readonly say: (text: string) => void;
}

async function build({ name, module, built, target, say }: Build): Promise<string> {
  say(`building ${name} ${temporalServerVersion} with Go, once; this takes minutes`);
  const folder = join(target, '..');
  await mkdir(folder, { recursive: true });
  const draft = await mkdtemp(join(folder, 'build-'));
  try {
    const child = spawn('go', ['install', `go.temporal.io/server/${module}@v${temporalServerVersion}`], {
      env: { ...process.env, GOBIN: draft },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`${name} could not be built. Put temporal-server and temporal-sql-tool on PATH.`);
    await rename(join(draft, built), target);
    return target;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
