import type { Knex } from 'knex';
import { recheckFinished } from '../../db/containers/containers.ts';
import { readInstallation } from '../../db/core/installation.ts';
import {
  listLiveWorkers,
  moveIdsAhead,
  lowerFutureErasures,
  renewFutureSnapshots,
  lowerFutureTransactionIds,
} from '../../db/ledger/upkeep/after-restore.ts';
import { endRestored } from '../../db/scheduled/move.ts';
import { readKeyDependencies } from '../../db/upkeep/key-dependencies.ts';
import { readMoment } from '../../db/upkeep/rows-after-restore.ts';
import type { Config } from '../../process/config.ts';
import { endRuns, listRunsSince, type RunAfterRestore } from '../../workflow-starts/runs-after-restore.ts';
import { type AdminDeps, recordOperation, type TemporalClient } from './deps.ts';
import { countOption, readFlags, readOptions, UsageError } from './options.ts';
import { reportAfterRestore } from './restore-report.ts';
import { connectBySettings } from './temporal-client.ts';

/** More than a day at 100 events per second, and a negligible share of the ID space. */
const DEFAULT_AHEAD = 10_000_000;
/** Far below the capacity of eight-character IDs. The ledger has a partition for each 10⁹ in between. */
const MAX_AHEAD = 100_000_000_000;

export async function afterRestore(deps: AdminDeps, args: readonly string[]): Promise<object> {
  const { db, config } = deps;
  const { flags, rest } = readFlags(args, ['force', 'without-temporal']);
  const { ahead } = readOptions(rest, { needed: [], optional: ['ahead'] });
  const count = countOption('ahead', ahead, { default: DEFAULT_AHEAD, max: MAX_AHEAD });
  if (!flags.force) await requireNoWorker(db);
  const moment = (await readMoment(db)) ?? new Date(0);
  const temporal = flags['without-temporal'] ? undefined : await connect(deps);
  try {
    const runs = temporal && (await listRuns(deps, { temporal, moment }));
    const { idsMovedAhead, containersToCheck, messagesToCheck, postsToCheck } = await db.transaction(async (trx) => {
      await recordOperation(trx, { action: 'installation.restored' });
      const idsAhead = await moveIdsAhead(trx, count);
      const containers = await recheckFinished(trx);
      const { messages, posts } = await endRestored(trx);
      return { idsMovedAhead: idsAhead, containersToCheck: containers, messagesToCheck: messages, postsToCheck: posts };
    });
    const deliveriesShownAgain = await lowerFutureTransactionIds(db);
    const replaysRenewed = await renewFutureSnapshots(db);
    const erasuresRenewed = await lowerFutureErasures(db);
    return {
      idsMovedAhead,
      deliveriesShownAgain,
      replaysRenewed,
      erasuresRenewed,
      containersToCheck,
      messagesToCheck,
      postsToCheck,
      missingKeys: await listMissingKeys(db, config),
      afterTheMoment: await sayWhatIsLost(deps, { temporal, moment, runs }),
    };
  } finally {
    await temporal?.close();
  }
}

async function requireNoWorker(db: Knex): Promise<void> {
  const holders = await listLiveWorkers(db);
  if (holders.length === 0) return;
  throw new UsageError(`A worker is using this database (${holders.join(', ')}). Stop it first, or use --force.`);
}

async function connect({ connectTemporal = connectBySettings }: AdminDeps): Promise<TemporalClient> {
  try {
    return await connectTemporal();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(
      `Temporal is not reachable (${reason}). Start it, even if it is empty, and run after-restore again. ` +
        'Use --without-temporal only if its data is lost: then nothing is known of the time after the backup.',
      { cause },
    );
  }
}

interface Found {
  readonly temporal: TemporalClient | undefined;
  readonly moment: Date;
  readonly runs: readonly RunAfterRestore[] | undefined;
}

async function listRuns(
  { db, config }: AdminDeps,
  { temporal, moment }: { readonly temporal: TemporalClient; readonly moment: Date },
): Promise<RunAfterRestore[]> {
  const { publicId: installationId } = await readInstallation(db);
  try {
    return await listRunsSince(temporal.client, { since: moment, own: { installationId, baseUrl: config.baseUrl } });
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** The platform was answered 200 for events of this time, and does not repeat them by itself. */
async function sayWhatIsLost({ db }: AdminDeps, { temporal, moment, runs }: Found): Promise<object> {
  const requestEventsAgain = { from: moment, to: latest(runs ?? []) };
  if (!temporal || !runs) return { requestEventsAgain, temporal: 'not asked' };
  if (runs.length === 0) return { requestEventsAgain, temporal: 'has no runs of this installation' };
  const { idKey } = await readInstallation(db);
  const { report, toEnd } = await reportAfterRestore(db, { runs, moment, idKey });
  await endRuns(temporal.client, toEnd);
  const byType = Map.groupBy(toEnd, ({ type }) => type);
  return {
    requestEventsAgain,
    ...report,
    runsEnded: Object.fromEntries([...byType].map(([type, some]) => [type, some.length])),
  };
}

/** Null means until the service stopped, which the database does not know. */
function latest(runs: readonly RunAfterRestore[]): Date | null {
  const times = runs.map(({ activeAt }) => activeAt.getTime());
  return times.length === 0 ? null : new Date(times.reduce((a, b) => Math.max(a, b)));
}

/** Keys that rows need and the processes lack: the settings are newer than the backup. */
async function listMissingKeys(db: Knex, { encryptionKeys = [] }: Pick<Config, 'encryptionKeys'>): Promise<string[]> {
  const needed = await readKeyDependencies(db, { activeKeyId: '', keyIds: [] });
  const present = new Set(encryptionKeys.map(({ id }) => id));
  return Object.keys(needed).filter((id) => !present.has(id));
}
