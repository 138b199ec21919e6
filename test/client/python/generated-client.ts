import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { generatorDocument } from '../../../dev/release/generator-document.ts';
import { pythonEnvironment } from '../../dev/python/environment.ts';
import { runs } from '../../dev/release/installed-packages.ts';

export interface PythonClient {
  /** The Python into which the client is installed. */
  readonly python: string;
  /** What the generator printed. */
  readonly printed: string;
}

/** Generates the client in a temporary folder and installs it into an environment of its own. */
export async function generateClient(t: ExecutionContext<unknown>): Promise<PythonClient> {
  const { folder, bin, python, pip } = await pythonEnvironment(t, join(import.meta.dirname, 'requirements.txt'));
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(generatorDocument()));
  // The generator calls the formatter by name.
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };
  const generate = ['generate', '--path', 'openapi.json', '--output-path', 'client', '--fail-on-warning'];
  const printed = await runs(join(bin, 'openapi-python-client'), generate, { cwd: folder, env });
  // Its dependencies are installed with the generator, which needs the same ones.
  await pip('--no-deps', '--no-index', '--no-build-isolation', './client');
  return { python, printed };
}
