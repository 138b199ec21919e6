import { usageError } from '../terminal/failures.ts';
import type { Output } from '../terminal/output.ts';

export interface SecretOptions {
  readonly value?: boolean;
  readonly rotate?: boolean;
  readonly overlap?: number;
  readonly idempotencyKey?: string;
}

export function assertSecretOptions(run: { readonly output: Output }, options: SecretOptions): void {
  const { rotate, overlap, idempotencyKey } = options;
  assertOneForm(run, options);
  if (!rotate && (overlap !== undefined || idempotencyKey !== undefined)) {
    throw usageError('--overlap and --idempotency-key require --rotate.');
  }
}

/** --value prints only the secret, so it excludes JSON. */
function assertOneForm({ output }: { readonly output: Output }, { value }: { readonly value?: boolean }): void {
  if (value && output.isJson) throw usageError('--value and --json cannot be combined.');
}
