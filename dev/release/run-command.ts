import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { projectRoot } from '../checks/source-files.ts';

const MAX_OUTPUT_BYTES = 1024 ** 3;

/** Runs a command in the root folder and returns its output. Throws what the command prints if it fails. */
export async function outputOf(command: string, args: readonly string[], cwd = projectRoot): Promise<Buffer> {
  try {
    const { stdout } = await promisify(execFile)(command, args, { cwd, encoding: 'buffer', maxBuffer: MAX_OUTPUT_BYTES }); // prettier-ignore
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: Buffer | string; stderr?: Buffer | string };
    throw new Error(`\`${command} ${args.join(' ')}\` failed.\n${String(stdout)}${String(stderr)}`, { cause: error });
  }
}

export async function textOf(command: string, args: readonly string[], cwd = projectRoot): Promise<string> {
  return (await outputOf(command, args, cwd)).toString('utf8').trimEnd();
}
