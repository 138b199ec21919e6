import { Conflict } from './errors.ts';

export type Scheduled =
  | { readonly outcome: 'created' | 'repeated'; readonly publicId: string }
  | { readonly outcome: 'too_many' | 'key_reused' };

/** Returns the id of a new or repeated message or post. Throws `LIMIT_REACHED` or `IDEMPOTENCY_KEY_REUSED`. */
export function scheduledId(scheduled: Scheduled, { tooMany }: { readonly tooMany: string }): string {
  switch (scheduled.outcome) {
    case 'created':
    case 'repeated':
      return scheduled.publicId;
    case 'too_many':
      throw new Conflict('LIMIT_REACHED', tooMany);
    case 'key_reused':
      throw new Conflict(
        'IDEMPOTENCY_KEY_REUSED',
        'This Idempotency-Key was used with another request. Use a new key.',
      );
  }
}
