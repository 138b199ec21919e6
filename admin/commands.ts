import { organizationLimitNames } from '../contract/identity/limits.ts';
import { readKeyDependencies } from '../db/upkeep/key-dependencies.ts';
import { migrate } from '../db/migrate.ts';
import { reencryptBodies } from '../db/ledger/upkeep/reencrypt-bodies.ts';
import { reencrypt } from '../db/upkeep/reencrypt.ts';
import { addAdmin } from './commands/add-admin.ts';
import { afterRestore } from './commands/after-restore.ts';
import { connectChannel } from './commands/connect-channel.ts';
import { createKey } from './commands/create-key.ts';
import { createOrganization } from './commands/create-organization.ts';
import { createStaff } from './commands/create-staff.ts';
import { createStaffKey } from './commands/create-staff-key.ts';
import { createWorkspace } from './commands/create-workspace.ts';
import { listStaffKeys } from './commands/list-staff-keys.ts';
import { registerSearchAttributes } from './commands/register-search-attributes.ts';
import { endStaffKey, removeStaff } from './commands/revoke-staff.ts';
import { setLimit } from './commands/set-limit.ts';
import { seedDemo } from './commands/seed-demo.ts';
import type { Command } from './commands/deps.ts';
import { readOptions } from './commands/options.ts';
import { DEFAULT_STAFF_KEY_DAYS } from './commands/staff-key-expiry.ts';

export const commands: Readonly<Record<string, Command>> = {
  migrate: {
    usage: '',
    summary: 'Brings the database up to date.',
    run: async ({ db, config }, args) => {
      readOptions(args, { needed: [] });
      return { applied: await migrate(db, { deliveryShards: config.deliveryShards }) };
    },
  },
  'create-organization': {
    usage: '--name <name> --admin-email <address>',
    summary: 'Creates an organization, its admin and an API key, which is shown this once.',
    run: createOrganization,
  },
  'add-admin': {
    usage: '--organization <org_…> --email <address>',
    summary: 'Makes a person an admin of an organization.',
    run: addAdmin,
  },
  'create-staff': {
    usage: '--email <address>',
    summary: 'Makes a person staff of this installation.',
    run: createStaff,
  },
  'create-staff-key': {
    usage: '--email <address> [--expires-in-days <days>|never | --expires <date>]',
    summary:
      'Creates a key of a person who is staff, for the routes under /staff. It is shown once and expires after ' +
      `${DEFAULT_STAFF_KEY_DAYS} days by default.`,
    run: createStaffKey,
  },
  'list-staff-keys': {
    usage: '',
    summary: 'Lists the keys of staff that are not revoked, with their expiry.',
    run: listStaffKeys,
  },
  'revoke-staff-key': {
    usage: '--key <key_…>',
    summary: 'Ends a key of staff at once.',
    run: endStaffKey,
  },
  'remove-staff': {
    usage: '--email <address>',
    summary: 'Makes a person staff no more; all of their staff keys end with it.',
    run: removeStaff,
  },
  'create-key': {
    usage: '--organization <org_…> --name <name> [--email <admin>]',
    summary: "Creates an API key in the name of an organization's admin; it is shown this once.",
    run: createKey,
  },
  'set-limit': {
    usage: `--organization <org_…> --limit ${organizationLimitNames.join('|')} --max <number>|default`,
    summary: 'Sets how many of one thing an organization may have.',
    run: setLimit,
  },
  'create-workspace': {
    usage: '--organization <org_…> --name <name> [--kind team|customer] [--external-id <id>]',
    summary: 'Creates a workspace of an organization.',
    run: createWorkspace,
  },
  'connect-channel': {
    usage: '--workspace <ws_…> --type chatapp|photoapp|pageapp --resource-id <id> --name <name> < platform-token',
    summary: "Connects a channel; the platform's token is read from stdin.",
    run: connectChannel,
  },
  'seed-demo': {
    usage: '',
    summary: 'Creates the demo tenants, or finds them again.',
    run: async (deps, args) => {
      readOptions(args, { needed: [] });
      return await seedDemo(deps);
    },
  },
  reencrypt: {
    usage: '',
    summary:
      'Seals with the first of ENCRYPTION_KEYS what an older key sealed, and with ENCRYPT_EVENT_BODIES the bodies in the ' +
      'clear. Prints what still depends on older keys. You can interrupt it and run it again.',
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
    usage: '[--ahead <count>] [--force]',
    summary:
      'Prepares a database that was restored to an earlier moment or into another cluster: no id is given out twice, and ' +
      'what it holds is visible to streams, listeners and replays. Before any process starts; may be run again.',
    run: afterRestore,
  },
  'register-search-attributes': {
    usage: '',
    summary: 'Registers the search attributes that workflows carry with Temporal.',
    run: async (_deps, args) => {
      readOptions(args, { needed: [] });
      return await registerSearchAttributes();
    },
  },
};
