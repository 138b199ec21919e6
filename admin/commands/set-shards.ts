import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import {
  listShards,
  readResharding,
  type ReshardingState,
  setTargetShards,
} from '../../db/ledger/shards/resharding.ts';
import { type AdminDeps, recordOperation } from './deps.ts';
import { readFlags, readNumber, readOptions, UsageError } from './options.ts';

/** As many as `DELIVERY_SHARDS` allows. */
const MAX_SHARDS = 256;
const LOOK_MS = 1_000;

/** The workers make the change: it continues if this command is interrupted. */
export async function setShards({ db }: AdminDeps, args: readonly string[]): Promise<object> {
  const { flags, rest } = readFlags(args, ['no-wait']);
  const count = readCount(rest);
  const before = await readResharding(db);
  if (before.targetShards === null && before.shards === count) return describe(before);
  if (before.targetShards !== count) {
    await db.transaction(async (trx) => {
      await setTargetShards(trx, count);
      const reason = `${before.shards} to ${count} shards`;
      await recordOperation(trx, { action: 'installation.resharded', reason });
    });
  }
  return describe(flags['no-wait'] ? await readResharding(db) : await untilFinished(db, count));
}

export async function shards({ db }: AdminDeps, args: readonly string[]): Promise<object> {
  readOptions(args, { needed: [] });
  return { ...describe(await readResharding(db)), list: await listShards(db) };
}

async function untilFinished(db: Knex, count: number): Promise<ReshardingState> {
  let said = '';
  for (;;) {
    const state = await readResharding(db);
    if (state.targetShards !== count) return state;
    const line = progressOf(state);
    if (line !== said) process.stderr.write(`set-shards: ${line}\n`);
    said = line;
    await sleep(LOOK_MS);
  }
}

function progressOf({ destinations, toMove, moving, liveWorkers }: ReshardingState): string {
  if (liveWorkers === 0) return 'no worker serves a shard; the change continues when one starts';
  if (toMove > 0 || moving > 0) return `${toMove} of ${destinations} destinations to move, ${moving} on their way`;
  return 'all destinations are in their shards; waiting for transactions that began before';
}

function describe({ shards: count, targetShards, destinations, toMove, moving }: ReshardingState) {
  const change = targetShards === null ? {} : { targetShards, toMove, moving };
  return { shards: count, destinations, ...change };
}

function readCount([given = '', ...others]: readonly string[]): number {
  const problem = `Pass the number of shards, from 1 to ${MAX_SHARDS}: set-shards <count> [--no-wait].`;
  if (others.length > 0) throw new UsageError(problem);
  return readNumber(given, { max: MAX_SHARDS, problem });
}
