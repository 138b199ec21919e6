import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { generatorDocument } from '../../../dev/release/generator-document.ts';
import { run, runs } from '../../dev/release/installed-packages.ts';

const requirements = join(import.meta.dirname, 'requirements.txt');
const NEEDED =
  'The Python client is generated with Python 3.11 or later, its venv module (Debian: python3-venv) and PyPI.';

export interface PythonClient {
  /** The Python into which the client is installed. */
  readonly python: string;
  /** What the generator printed. */
  readonly printed: string;
}

/** Generates the client in a temporary folder and installs it into an environment of its own. */
export async function generateClient(t: ExecutionContext<unknown>): Promise<PythonClient> {
  const folder = await mkdtemp(join(tmpdir(), 'python-client-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await createEnvironment(folder);
  const bin = join(folder, 'env/bin');
  const python = join(bin, 'python');
  const pip = (...args: string[]): Promise<string> =>
    runs(python, ['-m', 'pip', '--disable-pip-version-check', '--quiet', 'install', ...args], { cwd: folder });
  await pip('--require-hashes', '--only-binary', ':all:', '-r', requirements).catch((cause: unknown) => {
    throw new Error(`pip cannot install the packages of ${requirements}. ${NEEDED}`, { cause });
  });
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(generatorDocument()));
  // The generator calls the formatter by name.
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };
  const generate = ['generate', '--path', 'openapi.json', '--output-path', 'client', '--fail-on-warning'];
  const printed = await runs(join(bin, 'openapi-python-client'), generate, { cwd: folder, env });
  // Its dependencies are installed with the generator, which needs the same ones.
  await pip('--no-deps', '--no-index', '--no-build-isolation', './client');
  return { python, printed };
}

async function createEnvironment(folder: string): Promise<void> {
  const { code, stdout, stderr } = await run('python3', ['-m', 'venv', 'env'], { cwd: folder });
  if (code !== 0) throw new Error(`python3 cannot create an environment. ${NEEDED}\n${stdout}${stderr}`);
}
