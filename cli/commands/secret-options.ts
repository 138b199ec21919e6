import { usageError } from '../terminal/failures.ts';
import type { Run } from './run.ts';

interface SecretOptions {
  readonly value: boolean | undefined;
  readonly rotate: boolean | undefined;
  readonly overlap: number | undefined;
  readonly idempotencyKey: string | undefined;
}

/** --value prints only the secret, so it excludes JSON. */
export function assertSecretOptions({ output }: Run, options: SecretOptions): void {
  const { value, rotate, overlap, idempotencyKey } = options;
  if (value && output.isJson) throw usageError('--value and --json cannot be combined.');
  if (!rotate && (overlap !== undefined || idempotencyKey !== undefined)) {
    throw usageError('--overlap and --idempotency-key require --rotate.');
  }
}
