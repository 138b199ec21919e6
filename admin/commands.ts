import { organizationLimitNames } from '../contract/identity/limits.ts';
import { readKeyDependencies } from '../db/upkeep/key-dependencies.ts';
import { type BlockedMigration, describeBlockers } from '../db/core/patient-migration.ts';
import { migrate } from '../db/migrate.ts';
import { reencryptBodies } from '../db/ledger/upkeep/reencrypt-bodies.ts';
import { reencrypt } from '../db/upkeep/reencrypt.ts';
import { afterRestore } from './commands/after-restore.ts';
import { checkRunning, quietReplays } from './commands/check-running.ts';
import { connectChannel } from './commands/connect-channel.ts';
import { registerSearchAttributes } from './commands/register-search-attributes.ts';
import { retireWorkflows } from './commands/retire-workflows.ts';
import { seedDemo } from './commands/seed-demo.ts';
import { readStatus } from './commands/status.ts';
import { withTemporal } from './commands/temporal-client.ts';
import { setCurrentVersion, versions } from './commands/worker-versions.ts';
import type { Command } from './commands/deps.ts';
import { readOptions } from './commands/options.ts';
import { addAdmin, createKey, createOrganization, createWorkspace, setLimit } from './commands/organizations.ts';
import {
  createStaff,
  createStaffKey,
  DEFAULT_STAFF_KEY_DAYS,
  endStaffKey,
  listStaffKeys,
  removeStaff,
} from './commands/staff.ts';

export const commands: Readonly<Record<string, Command>> = {
  migrate: {
    usage: '',
    summary: 'Apply pending database migrations, and grant the roles of the processes what they need.',
    run: async ({ db, config }, args) => {
      readOptions(args, { needed: [] });
      const { databaseApiUrl: api, databaseWorkerUrl: worker, databaseGatewayUrl: gateway } = config;
      const roles = { ...(api && { api }), ...(worker && { worker }), ...(gateway && { gateway }) };
      return { applied: await migrate(db, { roles, onBlocked: sayBlocked }) };
    },
  },
  'create-organization': {
    usage: '--name <name> --admin-email <address>',
    summary: 'Create an organization with an admin and an API key. The key is shown only once.',
    run: createOrganization,
  },
  'add-admin': {
    usage: '--organization <org_…> --email <address>',
    summary: 'Make a user an admin of an organization.',
    run: addAdmin,
  },
  'create-staff': {
    usage: '--email <address>',
    summary: 'Make a user a staff member of this installation.',
    run: createStaff,
  },
  'create-staff-key': {
    usage: '--email <address> [--expires-in-days <days>|never | --expires <date>]',
    summary:
      'Create a staff key for the routes under /staff. The key is shown only once and expires after ' +
      `${DEFAULT_STAFF_KEY_DAYS} days by default.`,
    run: createStaffKey,
  },
  'list-staff-keys': {
    usage: '',
    summary: 'List active staff keys with their expiry.',
    run: listStaffKeys,
  },
  'revoke-staff-key': {
    usage: '--key <key_…>',
    summary: 'Revoke a staff key immediately.',
    run: endStaffKey,
  },
  'remove-staff': {
    usage: '--email <address>',
    summary: 'Remove a staff member and revoke all their staff keys.',
    run: removeStaff,
  },
  'create-key': {
    usage: '--organization <org_…> --name <name> [--email <admin>]',
    summary: "Create an API key on behalf of an organization's admin. The key is shown only once.",
    run: createKey,
  },
  'set-limit': {
    usage: `--organization <org_…> --limit ${organizationLimitNames.join('|')} --max <number>|default`,
    summary: 'Set a limit of an organization.',
    run: setLimit,
  },
  'create-workspace': {
    usage: '--organization <org_…> --name <name> [--kind team|customer] [--external-id <id>]',
    summary: 'Create a workspace in an organization.',
    run: createWorkspace,
  },
  'connect-channel': {
    usage: '--workspace <ws_…> --type chatapp|photoapp|pageapp --resource-id <id> --name <name> < platform-token',
    summary: 'Connect a channel with the platform token from standard input.',
    run: connectChannel,
  },
  'seed-demo': {
    usage: '',
    summary: 'Create the demo tenants, or return the existing ones.',
    run: async (deps, args) => {
      readOptions(args, { needed: [] });
      return await seedDemo(deps);
    },
  },
  reencrypt: {
    usage: '',
    summary:
      'Re-encrypt stored secrets with the first of ENCRYPTION_KEYS, and with ENCRYPT_EVENT_BODIES also unencrypted event ' +
      'bodies. Prints what still depends on older keys. You can interrupt it and run it again.',
    run: async ({ db, secretBox, bodyBox, signingRing }, args) => {
      readOptions(args, { needed: [] });
      const box = secretBox();
      const { keyIds } = signingRing();
      const secrets = await reencrypt(db, box);
      const { counts, left } = await reencryptBodies(db, bodyBox());
      const oldKeys = await readKeyDependencies(db, { activeKeyId: box.activeKeyId, keyIds });
      return { reencrypted: { ...secrets, ...counts }, left, oldKeys };
    },
  },
  'after-restore': {
    usage: '[--ahead <count>] [--without-temporal] [--force]',
    summary:
      'Prepare a database restored from a backup or into another cluster, so that no ID is used twice and streams, ' +
      'listeners and replays see all deliveries. Ends workflows that are ahead of the database, and reports what ' +
      'Temporal knows of the lost time. Run it before you start any process. It is safe to repeat.',
    run: afterRestore,
  },
  'register-search-attributes': {
    usage: '',
    summary: 'Register the search attributes of the workflows in Temporal.',
    isWithoutDatabase: true,
    run: async (_deps, args) => {
      readOptions(args, { needed: [] });
      return await withTemporal(registerSearchAttributes);
    },
  },
  status: {
    usage: '[--json]',
    summary:
      'Show the workers, their shards, the backlog, PostgreSQL and Temporal with their ages. With --json, print one line ' +
      'of JSON.',
    run: readStatus,
  },
  versions: {
    usage: '[--drained <build>|this [--wait <seconds>]]',
    summary:
      'List the versions of the workers with their status, workers and open runs. With --drained, exit with 1 unless the ' +
      'workers of that build can be stopped.',
    run: (deps, args) => withTemporal((client) => versions(deps, client, args)),
  },
  'set-current-version': {
    usage: '[--build-id <build> | --unversioned] [--ramp <percent>]',
    summary:
      "Give the new runs to a version of the workers, by default to this code's, or with --ramp a part of them. Its " +
      'workers must run.',
    run: (deps, args) => withTemporal((client) => setCurrentVersion(deps, client, args)),
  },
  'check-running': {
    usage: '[--per-type <count>] [--type <workflow>]',
    summary:
      "Replay running workflows with this code, as its workers would. Run it with the new release's code before an " +
      'upgrade. Exits with 1 if a workflow does not replay.',
    run: async (_deps, args) => {
      quietReplays();
      return await withTemporal((client) => checkRunning(client, args));
    },
  },
  'retire-workflows': {
    usage: '--type <workflow> [--slice <count>] [--started-before <time>] [--dry-run]',
    summary:
      'End the running workflows of a type in slices. The workers start them again from the database, with their own ' +
      'code. You can interrupt it and continue with --started-before.',
    run: (_deps, args) => withTemporal((client) => retireWorkflows(client, args)),
  },
};

function sayBlocked({ attempt, retryInMs, blockers }: BlockedMigration): void {
  process.stderr.write(
    `migrate: attempt ${attempt} gave up. ${describeBlockers(blockers)} Trying again in ${retryInMs / 1_000} s.\n`,
  );
}
