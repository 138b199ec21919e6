import { setTimeout as sleep } from 'node:timers/promises';
import { createLease, leaseNow } from '../../../activities/pump/lease.ts';
import type { PumpProgress, ShardPump } from '../../../activities/pump/pump-fleet.ts';
import { type PumpDeps, startShardPump } from '../../../activities/pump/shard-pump.ts';
import { acquireLease, renewLeases } from '../../../db/ledger/shards/shard-leases.ts';

export interface LeasedPumpRun {
  readonly shard: number;
  readonly signal: AbortSignal;
}

const RENEW_MS = 1_000;
const RETRY_MS = 20;
/** No pause of the machine and no jump of a test's clock lasts as long. The leases of the database must be extended too. */
const EXTENSION_MS = 365 * 86_400_000;
const NOTHING: PumpProgress = { destinationCount: 0, settledCount: 0, promotedCount: 0, heldCount: 0 };

/** Runs one pump as a fleet does: waits for the shard's lease, renews it, and hands it over when `signal` aborts. */
export async function runLeasedPump(deps: PumpDeps, { shard, signal }: LeasedPumpRun): Promise<PumpProgress> {
  const pump = await startWhenFree(deps, { shard, signal });
  if (!pump) return NOTHING;
  const timer = setInterval(() => void renew(deps, pump), RENEW_MS);
  const stop = (): void => void pump.stop();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  void pump.stopped.then(() => clearInterval(timer));
  return await pump.ended;
}

async function startWhenFree(deps: PumpDeps, { shard, signal }: LeasedPumpRun): Promise<ShardPump | undefined> {
  const { pool, holder } = deps;
  while (!signal.aborted) {
    const askedAtMs = leaseNow() + EXTENSION_MS;
    const fence = await acquireLease(pool, { shard, holder }).catch(() => undefined);
    if (fence !== undefined) return startShardPump(deps, { shard, lease: createLease({ fence, askedAtMs }) });
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

async function renew({ pool, holder, log }: PumpDeps, { shard, lease, leaseRenewed, stop }: ShardPump): Promise<void> {
  const askedAtMs = leaseNow();
  const renewed = await renewLeases(pool, { holder, leases: [{ shard, fence: lease.fence }] }).catch(() => undefined);
  if (!renewed) return;
  if (renewed.has(shard)) {
    lease.renewed(askedAtMs);
    return leaseRenewed();
  }
  log.warn('lease.lost', { fence: lease.fence });
  lease.end();
  await stop();
}
