import type { GatewayMeter, GatewayOutcome } from '../../metrics/gateway-metrics.ts';
import { onceClosed } from '../../process/once-closed.ts';
import type { Call } from './call.ts';

export function measureCall(call: Call, meter: GatewayMeter | undefined): void {
  if (!meter) return;
  const over = meter.began();
  const { response, startedAtMs, tally } = call;
  onceClosed(response, () => {
    over();
    const code = call.logFields['code'];
    meter.ended({
      product: tally.product,
      outcome: outcomeOf(call),
      code: typeof code === 'string' ? code : undefined,
      totalMs: performance.now() - startedAtMs,
      platformMs: tally.platformMs,
    });
  });
}

const silent = new Set<unknown>(['PLATFORM_UNAVAILABLE', 'PLATFORM_OUTCOME_UNKNOWN']);

function outcomeOf({ response, logFields, tally }: Call): GatewayOutcome {
  const { code, platformStatus } = logFields;
  if (tally.isAnswerLost) return 'platform_silent';
  if (!response.writableFinished) return 'caller_gone';
  if (code === 'INTERNAL' || code === 'SERVICE_UNAVAILABLE') return 'failed';
  if (silent.has(code)) return 'platform_silent';
  if (code !== undefined) return 'refused';
  return typeof platformStatus === 'number' && platformStatus >= 400 ? 'platform_refused' : 'answered';
}
