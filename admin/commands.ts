import { organizationLimitNames } from '../contract/limits.ts';
import { migrate } from '../db/migrate.ts';
import { reencrypt } from '../db/reencrypt.ts';
import { addAdmin } from './commands/add-admin.ts';
import { afterRestore } from './commands/after-restore.ts';
import { connectChannel } from './commands/connect-channel.ts';
import { createKey } from './commands/create-key.ts';
import { createOrganization } from './commands/create-organization.ts';
import { createStaff } from './commands/create-staff.ts';
import { createStaffKey } from './commands/create-staff-key.ts';
import { createWorkspace } from './commands/create-workspace.ts';
import { registerSearchAttributes } from './commands/register-search-attributes.ts';
import { endStaffKey, removeStaff } from './commands/revoke-staff.ts';
import { setLimit } from './commands/set-limit.ts';
import { seedDemo } from './commands/seed-demo.ts';
import type { Command } from './deps.ts';
import { readOptions } from './options.ts';

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
    usage: '--email <address> [--expires <date>]',
    summary: 'Creates a key of somebody who is staff, for the routes under /staff; it is shown this once.',
    run: createStaffKey,
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
    summary: 'Seals with the first of ENCRYPTION_KEYS whatever an older key sealed. May be cut off and run again.',
    run: async ({ db, secretBox }, args) => {
      readOptions(args, { needed: [] });
      return { reencrypted: await reencrypt(db, secretBox()) };
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
