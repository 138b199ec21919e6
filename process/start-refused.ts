import type { Log } from './log.ts';

/** The process can't start in its surroundings. The message says what to change. */
export class StartRefused extends Error {}

/** Ends the process with one line of log if the start fails. Unexpected errors are logged with their stack. */
export async function exitOnFailure<Result>(log: Log, starting: Promise<Result>): Promise<Result> {
  try {
    return await starting;
  } catch (error) {
    log.error('start.failed', failureFields(error));
    await log.flush();
    process.exit(1);
  }
}

export function failureFields(error: unknown): { readonly reason: string } | { readonly error: unknown } {
  return error instanceof StartRefused ? { reason: error.message } : { error };
}
