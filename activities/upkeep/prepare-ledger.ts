import type { Knex } from 'knex';
import { analyzeLedger } from '../../db/upkeep/analyze-ledger.ts';
import { dropOldPeriods } from '../../db/ledger/upkeep/drop-old-periods.ts';
import { keepLedgerPeriods } from '../../db/ledger/upkeep/ledger-periods.ts';
import type { PeriodAge } from '../../db/ledger/upkeep/old-periods.ts';
import type { Log } from '../../process/log.ts';

export interface PrepareLedger {
  readonly db: Knex;
  readonly log: Log;
  readonly age: PeriodAge;
  readonly heartbeat: () => void;
  /** Returns whether the activity must return. What is left waits for the next run. */
  readonly isTimeUp: () => boolean;
}

/**
 * Creates the partitions of the next periods, drops the old ones and updates the planner's statistics. Returns the
 * number of events dropped, by the statistics.
 */
export async function prepareLedger({ db, log, age, heartbeat, isTimeUp }: PrepareLedger): Promise<number> {
  await keepLedgerPeriods(db, age);
  let droppedCount = 0;
  for await (const { keptCount = 0, estimatedCount = 0, ...step } of dropOldPeriods(db, age)) {
    heartbeat();
    log.info('period.dropped', { ...step, keptCount, estimatedCount });
    droppedCount += Math.max(0, estimatedCount - keptCount);
    if (isTimeUp()) return droppedCount;
  }
  for await (const table of analyzeLedger(db)) {
    heartbeat();
    log.info('table.analyzed', { table });
    if (isTimeUp()) break;
  }
  return droppedCount;
}
