import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { runs } from '../release/installed-packages.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const NEEDED = 'This test needs Python 3.11 or later, its venv module (Debian: python3-venv) and PyPI.';

export interface PythonEnvironment {
  /** A temporary folder, which contains the environment. */
  readonly folder: string;
  /** The programs of the installed packages. */
  readonly bin: string;
  readonly python: string;
  /** Runs `pip install`. */
  readonly pip: (...args: string[]) => Promise<string>;
}

/** Creates an environment with the packages of a requirements file, whose hashes are checked. */
export async function pythonEnvironment(
  t: ExecutionContext<unknown>,
  requirements: string,
): Promise<PythonEnvironment> {
  const folder = await temporaryFolder(t);
  const bin = join(folder, 'env/bin');
  const python = join(bin, 'python');
  const pip = (...args: string[]): Promise<string> =>
    runs(python, ['-m', 'pip', '--disable-pip-version-check', '--quiet', 'install', ...args], { cwd: folder });
  try {
    await runs('python3', ['-m', 'venv', 'env'], { cwd: folder });
    await pip('--require-hashes', '--only-binary', ':all:', '-r', requirements);
  } catch (cause) {
    throw new Error(`The packages of ${requirements} cannot be installed. ${NEEDED}`, { cause });
  }
  return { folder, bin, python, pip };
}
