import { recordAudit } from '../../db/audit/record-audit.ts';
import {
  listHeldShards,
  moveIdsAhead,
  renewFutureSnapshots,
  showFutureDeliveries,
} from '../../db/ledger/upkeep/after-restore.ts';
import { operatorAudit } from './audit.ts';
import type { AdminDeps } from './deps.ts';
import { readFlags, readOptions, UsageError } from './options.ts';

/** A day of a hundred events a second, and a nothing of the numbers that there are. */
const DEFAULT_AHEAD = 10_000_000;
/** Far below what ids of eight characters can hold, so that nobody uses them up by mistake. */
const MAX_AHEAD = 1_000_000_000_000;

/** Prepares a database that was restored to an earlier moment, or into another cluster, before any process starts. */
export async function afterRestore({ db }: AdminDeps, args: readonly string[]): Promise<object> {
  const { flags, rest } = readFlags(args, ['force']);
  const { ahead } = readOptions(rest, { needed: [], optional: ['ahead'] });
  const count = ahead === undefined ? DEFAULT_AHEAD : readAhead(ahead);
  const held = await listHeldShards(db);
  if (held.length > 0 && !flags.force) {
    const holders = [...new Set(held.map(({ holder }) => holder))].join(', ');
    throw new UsageError(`A worker is at work on this database (${holders}): stop it first, or insist with --force`);
  }
  const idsMovedAhead = await db.transaction(async (trx) => {
    await recordAudit(trx, { ...operatorAudit(null), action: 'installation.restored' });
    return await moveIdsAhead(trx, count);
  });
  const deliveriesShownAgain = await showFutureDeliveries(db);
  return { idsMovedAhead, deliveriesShownAgain, replaysRenewed: await renewFutureSnapshots(db) };
}

function readAhead(given: string): number {
  const ahead = /^\d{1,15}$/.test(given) ? Number(given) : 0;
  if (ahead < 1 || ahead > MAX_AHEAD) throw new UsageError(`--ahead must be a whole number up to ${MAX_AHEAD}`);
  return ahead;
}
