import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const LARGE = 64 * 1024 * 1024;

/** Returns stdout. The error of a failed command has its output. */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { maxBuffer: LARGE, ...options });
  return stdout;
}
