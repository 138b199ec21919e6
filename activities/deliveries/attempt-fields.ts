import { traceIdOf } from '../../contract/traces/trace-parent.ts';
import type { Attempt } from '../../db/ledger/attempts.ts';
import type { LogFields } from '../../process/log.ts';

/** What a log line says of an attempt. */
export function attemptFields(
  { number, outcome, status, error, durationMs }: Attempt,
  { deliveryId, traceParent }: { readonly deliveryId: string; readonly traceParent: string | null },
): LogFields {
  const traceId = traceIdOf(traceParent) ?? undefined;
  return { deliveryId, attempt: number, outcome, status, errorCode: error, durationMs, traceId };
}
