import { recordAudit } from '../../db/audit/record-audit.ts';
import {
  listHeldShards,
  moveIdsAhead,
  renewFutureSnapshots,
  lowerFutureTransactionIds,
} from '../../db/ledger/upkeep/after-restore.ts';
import { operatorAudit } from './audit.ts';
import type { AdminDeps } from './deps.ts';
import { readFlags, readOptions, UsageError } from './options.ts';

/** More than a day at 100 events per second, and a negligible share of the ID space. */
const DEFAULT_AHEAD = 10_000_000;
/** Far below the capacity of eight-character IDs. The ledger has a partition for each 10⁹ in between. */
const MAX_AHEAD = 100_000_000_000;

export async function afterRestore({ db }: AdminDeps, args: readonly string[]): Promise<object> {
  const { flags, rest } = readFlags(args, ['force']);
  const { ahead } = readOptions(rest, { needed: [], optional: ['ahead'] });
  const count = ahead === undefined ? DEFAULT_AHEAD : readAhead(ahead);
  const held = await listHeldShards(db);
  if (held.length > 0 && !flags.force) {
    const holders = [...new Set(held.map(({ holder }) => holder))].join(', ');
    throw new UsageError(`A worker is using this database (${holders}). Stop it first, or use --force.`);
  }
  const idsMovedAhead = await db.transaction(async (trx) => {
    await recordAudit(trx, { ...operatorAudit(null), action: 'installation.restored' });
    return await moveIdsAhead(trx, count);
  });
  const deliveriesShownAgain = await lowerFutureTransactionIds(db);
  return { idsMovedAhead, deliveriesShownAgain, replaysRenewed: await renewFutureSnapshots(db) };
}

function readAhead(given: string): number {
  const ahead = /^\d{1,15}$/.test(given) ? Number(given) : 0;
  if (ahead < 1 || ahead > MAX_AHEAD)
    throw new UsageError(`Invalid --ahead '${given}'. Use a whole number from 1 to ${MAX_AHEAD}.`);
  return ahead;
}
