import { usageError } from '../terminal/failures.ts';
import type { Output } from '../terminal/output.ts';

/** How a secret is asked for: shown as it is, or minted anew beside the one so far. */
export interface SecretOptions {
  readonly value?: boolean;
  readonly rotate?: boolean;
  readonly overlap?: number;
  readonly idempotencyKey?: string;
}

/** Refuses what does not go together, before anything is asked of the service. */
export function assertSecretOptions(run: { readonly output: Output }, options: SecretOptions): void {
  const { rotate, overlap, idempotencyKey } = options;
  assertOneForm(run, options);
  if (!rotate && (overlap !== undefined || idempotencyKey !== undefined)) {
    throw usageError('--overlap and --idempotency-key go with --rotate.');
  }
}

/** With --value a command writes that alone, and so no JSON. */
function assertOneForm({ output }: { readonly output: Output }, { value }: { readonly value?: boolean }): void {
  if (value && output.isJson) throw usageError('--value and --json exclude each other.');
}
