import { migrate } from '../db/migrate.ts';
import { reencrypt } from '../db/reencrypt.ts';
import { connectChannel } from './commands/connect-channel.ts';
import { createOrganization } from './commands/create-organization.ts';
import { createWorkspace } from './commands/create-workspace.ts';
import { registerSearchAttributes } from './commands/register-search-attributes.ts';
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
  'register-search-attributes': {
    usage: '',
    summary: 'Registers the search attributes that workflows carry with Temporal.',
    run: async (_deps, args) => {
      readOptions(args, { needed: [] });
      return await registerSearchAttributes();
    },
  },
};
