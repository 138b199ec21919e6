import { execFile } from 'node:child_process';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../../dev/checks/source-files.ts';
import { packageNames } from '../../../dev/release/build-package.ts';

export interface End {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Running {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

export function run(command: string, args: readonly string[], { cwd, env = process.env }: Running): Promise<End> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd, env, maxBuffer: 64 * 1024 ** 2 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
    });
  });
}

/** Like `run`, but throws with the output if the command fails. */
export async function runs(command: string, args: readonly string[], running: Running): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, running);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} exited with ${code}\n${stdout}\n${stderr}`);
  return stdout;
}

/** Packs the packages and installs them into an empty folder, with an empty cache and without the network. */
export async function installPackages(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'channels-installed-'));
  for (const name of packageNames) {
    await runs('npm', ['pack', '--silent', '--pack-destination', folder], {
      cwd: join(projectRoot, 'dev/packages', name),
    });
  }
  const tarballs = (await readdir(folder)).map((file) => `./${file}`);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await runs('npm', ['install', '--offline', '--cache', join(folder, 'cache'), '--no-audit', '--no-fund', ...tarballs], { cwd: folder }); // prettier-ignore
  return folder;
}
