import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { connectForMigrations, MIGRATION_APPLICATION } from './core/connect-database.ts';
import { type BlockedMigration, migratePatiently } from './core/patient-migration.ts';
import { createFirstPeriods } from './ledger/upkeep/ledger-periods.ts';
import { release1 } from './migrations/0001-release-1.0.ts';
import { prepareRoles, type ProcessRoles } from './roles/process-roles.ts';

export type Migrations = Readonly<Record<string, Knex.Migration>>;

/**
 * Applied in this order and immutable. Later ones only add (`dev/checks/migrations.ts`), so that the release before works
 * with the schema during an upgrade and after a rollback. Stored names have no extension, so they do not depend on how
 * the code runs.
 */
export const migrations: Migrations = {
  '0001-release-1.0': release1,
};

export const migrationNames: readonly string[] = Object.keys(migrations);

function sourceOf(all: Migrations): Knex.MigrationSource<string> {
  return {
    getMigrations: () => Promise.resolve(Object.keys(all)),
    getMigrationName: (name) => name,
    // Knex requires a `down`, which no code calls: a rollback starts the release before on the newer schema.
    getMigration: (name) => Promise.resolve({ down: () => Promise.resolve(), ...all[name]! }),
  };
}

/** An arbitrary advisory lock key. */
const MIGRATION_LOCK = 7_261_903;

/**
 * Migrates the schema, and creates the installation's keys and first partitions on the first run. Processes may call it
 * concurrently. The lock is polled: a session that waits in `pg_advisory_lock` holds a snapshot, for which `create index
 * concurrently` would wait forever.
 */
export async function migrate(db: Knex, options: MigrateOptions = {}): Promise<string[]> {
  const { roles, onBlocked } = options;
  const migrationSource = sourceOf(options.migrations ?? migrations);
  const knex = connectForMigrations(db);
  try {
    return await underLock(knex, async () => {
      const act = () => applyNext(knex, migrationSource);
      const applied = await applyAll(() =>
        migratePatiently({ db, applicationName: MIGRATION_APPLICATION, act, onBlocked }),
      );
      await knex.raw('insert into installation (id_key, token_salt) values (?, ?) on conflict do nothing', [
        randomBytes(48),
        randomBytes(32),
      ]);
      await prepareRoles(knex, roles);
      await createFirstPeriods(knex);
      return applied;
    });
  } finally {
    await knex.destroy();
  }
}

export interface MigrateOptions {
  /** Optional. Without roles, all processes connect as the owner. */
  readonly roles?: ProcessRoles;
  /** Optional. Called before each retry of a migration that waits for another session's lock. */
  readonly onBlocked?: (blocked: BlockedMigration) => void;
  /** Optional. For tests. Default: those of this release. */
  readonly migrations?: Migrations;
}

async function underLock<Result>(knex: Knex, act: () => Promise<Result>): Promise<Result> {
  const connection: unknown = await knex.client.acquireConnection();
  try {
    while (!(await tryLock(knex, connection))) await sleep(50);
    try {
      return await act();
    } finally {
      await knex.raw('select pg_advisory_unlock(?)', [MIGRATION_LOCK]).connection(connection);
    }
  } finally {
    await knex.client.releaseConnection(connection);
  }
}

/**
 * Applies one migration per call, so that each has its own transaction. In a batch, one migration without a transaction
 * would disable transactions for all.
 */
async function applyAll(applyOne: () => Promise<AppliedBatch>): Promise<string[]> {
  const applied: string[] = [];
  for (;;) {
    const [, names] = await applyOne();
    if (names.length === 0) return applied;
    applied.push(...names);
  }
}

type AppliedBatch = readonly [number, readonly string[]];

async function applyNext(knex: Knex, migrationSource: Knex.MigrationSource<string>): Promise<AppliedBatch> {
  // A process killed during a migration without a transaction leaves Knex's lock behind. The advisory lock excludes
  // other processes.
  await knex.migrate.forceFreeMigrationsLock({ migrationSource });
  return (await knex.migrate.up({ migrationSource })) as AppliedBatch;
}

async function tryLock(knex: Knex, connection: unknown): Promise<boolean> {
  const { rows } = await knex.raw('select pg_try_advisory_lock(?) as locked', [MIGRATION_LOCK]).connection(connection);
  return rows[0].locked === true;
}
