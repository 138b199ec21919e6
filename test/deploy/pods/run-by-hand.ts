import { spawnSync } from 'node:child_process';

/** Returns false, and says why with the usage, without root or with a program missing. */
export function hasNeeded(programs: readonly string[], usage: string): boolean {
  const missing = programs.filter((name) => spawnSync('which', [name]).status !== 0);
  if (process.getuid?.() === 0 && missing.length === 0) return true;
  const reason = missing.length > 0 ? `Missing: ${missing.join(', ')}.` : 'This is not root.';
  process.stderr.write(`${usage}\n${reason}\n`);
  return false;
}

/** Ends the process with the exit code of `main`, or with 1 if it fails. */
export async function exitWith(main: () => Promise<number>): Promise<never> {
  try {
    process.exitCode = await main();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  }
  process.exit();
}
