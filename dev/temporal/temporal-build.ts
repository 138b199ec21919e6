import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { runGo } from '../processes/run-go.ts';
import { TEMPORAL_MODULE, TEMPORAL_MODULE_SUM } from './temporal-release.ts';

const execFileResult = promisify(execFile);

export interface BuildTemporal {
  readonly version: string;
  /** Renamed into place, so that concurrent builds do no harm. */
  readonly target: string;
  readonly onProgress: (text: string) => void;
  readonly signal: AbortSignal;
}

export async function buildTemporal({ version, target, onProgress, signal }: BuildTemporal): Promise<string> {
  await mkdir(dirname(target), { recursive: true });
  const draft = await mkdtemp(join(dirname(target), 'build-'));
  onProgress(`Temporal: building version ${version} with Go. This happens once and takes 2 to 7 minutes.`);
  const startedAtMs = performance.now();
  const seconds = () => Math.round((performance.now() - startedAtMs) / 1000);
  try {
    await goInstall({ module: `${TEMPORAL_MODULE}/cmd/temporal@v${version}`, folder: draft, signal });
    await checkModule(join(draft, 'temporal'), version);
    await rename(join(draft, 'temporal'), target);
    onProgress(`Temporal: built in ${seconds()} s: ${target}.`);
    return target;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Go writes the hash of the module's sources into the binary. The checksum database covers its dependencies. */
async function checkModule(binary: string, version: string): Promise<void> {
  const { stdout } = await execFileResult('go', ['version', '-m', binary]);
  const line = stdout.split('\n').find((text) => text.startsWith('\tmod\t')) ?? '';
  const wanted = ['mod', TEMPORAL_MODULE, `v${version}`, TEMPORAL_MODULE_SUM].join(' ');
  const found = line.trim().split('\t').join(' ');
  if (found !== wanted) throw new Error(`the binary was built from "${found}" instead of "${wanted}"; it was deleted`);
}

/** Settings for private modules must not disable the checksum database. */
const checksumSettings = { GONOSUMDB: '', GOPRIVATE: '', GOINSECURE: '', GONOSUMCHECK: '' };

function checksumDatabase(): string {
  const { GOSUMDB = '' } = process.env;
  return GOSUMDB === 'off' ? 'sum.golang.org' : GOSUMDB;
}

async function goInstall({
  module,
  folder,
  signal,
}: {
  module: string;
  folder: string;
  signal: AbortSignal;
}): Promise<void> {
  const env = { ...checksumSettings, GOSUMDB: checksumDatabase(), GOBIN: folder };
  await runGo({ args: ['install', module], env, signal });
}
