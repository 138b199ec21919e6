import type { Schema } from '../../client/create-client.ts';
import {
  DEFAULT_PORTAL_SECONDS,
  MAX_PORTAL_SECONDS,
  MIN_PORTAL_SECONDS,
  portalRights,
} from '../../contract/identity/portal.ts';
import { group } from '../commands/definition.ts';
import {
  type Kind,
  local,
  oneOf,
  orEmpty,
  orNone,
  pages,
  required,
  someOf,
  wholeNumber,
  words,
  yes,
} from '../commands/flags.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { route } from '../commands/route.ts';
import type { Run } from '../commands/run.ts';
import { usageError } from '../terminal/failures.ts';
import { listText, type View } from '../terminal/output.ts';

export const organizations = group('organizations', 'Create an organization, after `channels login --session`', [
  route('create <name>', 'POST /organizations', {
    summary: 'Create an organization of your own',
    examples: "'Acme'",
    record: { Organization: 'id', Name: 'name' },
  }),
]);

const listed: View<Schema<'Workspace'>> = {
  WORKSPACE: 'id',
  NAME: 'name',
  KIND: 'kind',
  'EXTERNAL ID': 'externalId',
  'CREATED (UTC)': 'createdAt',
};

const whole: View<Schema<'WholeWorkspace'>> = {
  Workspace: 'id',
  Name: 'name',
  Kind: 'kind',
  'External ID': 'externalId',
  Organization: 'organizationId',
  'Connected channels': 'channelCount',
  Members: 'memberCount',
  'Your role': 'role',
  Created: 'createdAt',
};

const created = ({ id, name }: Schema<'Workspace'>) => `Created ${id} ${name}.`;

function oneOfKind(noun: 'workspace' | 'customer') {
  return [
    route(`show <${noun}>`, 'GET /workspaces/{ws}', {
      summary: `Show a ${noun}`,
      examples: 'ws_8kLm3Qz1',
      record: whole,
    }),
    route(`rename <${noun}> [name]`, 'PATCH /workspaces/{ws}', {
      summary: `Rename a ${noun} or change its external ID`,
      examples: "ws_8kLm3Qz1 'Another name'",
      flags: { externalId: ['--external-id <id>', 'external ID of a customer; empty to remove it', orEmpty] },
      unchanged: 'Nothing to change. Use a new name or --external-id.',
      record: whole,
    }),
    route(`delete <${noun}>`, 'DELETE /workspaces/{ws}', {
      summary: `Delete a ${noun} and disconnect its channels`,
      examples: 'ws_8kLm3Qz1 --yes',
      flags: { erase: ['--erase', 'erase the data of its events, too; this cannot be undone', local], ...yes },
      input: ({ erase }) => ({ erase: erase ? 'true' : undefined }),
      confirm: ([ws], { erase }) =>
        `Delete ${ws}, disconnect its channels and cancel waiting deliveries${erase ? ', and erase the data of its events' : ''}?`,
      done: (_, [ws]) => [{ id: ws, deleted: true }, `Deleted ${ws}.`],
    }),
  ];
}

export const workspaces = group('workspaces', 'Manage workspaces', [
  route('list', 'GET /organizations/{org}/workspaces', {
    summary: 'List workspaces',
    flags: { ...pages, kind: ['--kind <kind>', 'kind of workspace to show', oneOf(['team', 'customer'])] },
    columns: listed,
  }),
  route('create <name>', 'POST /organizations/{org}/workspaces', {
    summary: 'Create a workspace for a team',
    examples: "'Support'",
    input: (_, [name]) => ({ name, kind: 'team' }),
    done: created,
  }),
  ...oneOfKind('workspace'),
]);

export const customers = group('customers', 'Manage customer workspaces', [
  route('list', 'GET /organizations/{org}/workspaces', {
    summary: 'List customers',
    examples: '--external-id shop-17 --json',
    flags: { ...pages, externalId: ['--external-id <id>', 'external ID of the customer to show'] },
    input: ({ externalId }) => ({ kind: 'customer', externalId }),
    empty: 'No customers found.',
    columns: listed,
  }),
  route('create <name>', 'POST /organizations/{org}/workspaces', {
    summary: 'Create a workspace for a customer',
    examples: "'Corner shop' --external-id shop-17",
    flags: { externalId: ['--external-id <id>', 'your own ID for the customer; must be unique'] },
    input: ({ externalId }, [name]) => ({ name, kind: 'customer', externalId }),
    done: created,
  }),
  ...oneOfKind('customer'),
]);

const [least, most, usual] = [MIN_PORTAL_SECONDS, MAX_PORTAL_SECONDS, DEFAULT_PORTAL_SECONDS].map((each) => each / 60);
const minutes: Kind<number | undefined> = {
  ...wholeNumber,
  convert: (count: number | undefined) => count && count * 60,
};

export const portalLinks = group('portal-links', 'Manage links to pages for one customer', [
  route('create', 'POST /workspaces/{ws}/portal-links', {
    summary: 'Create a link to the channels of the workspace; its URL is shown once',
    examples: [
      '--workspace ws_8kLm3Qz1 --right deliveries.retry,subscriptions.manage',
      '--right deliveries.read --channel ch_4fT9aPq2 --minutes 15',
    ],
    flags: {
      rights: ['--right <rights>', 'what the customer may do', required(someOf(portalRights))],
      channelIds: ['--channel <id>', 'only this channel; repeatable (default: all)', words],
      expiresIn: ['--minutes <count>', `lifetime, ${least} to ${most} (default: ${usual})`, minutes],
      name: ['--name <name>', 'tells your links apart'],
    },
    record: {
      Link: 'portalLinkId',
      URL: 'url',
      Rights: 'rights',
      Channels: ({ channelIds }) => listText(channelIds),
      Expires: 'expiresAt',
    },
  }),
  route('list', 'GET /workspaces/{ws}/portal-links', {
    summary: 'List links of the last week',
    flags: pages,
    columns: {
      LINK: 'portalLinkId',
      NAME: 'name',
      STATUS: ({ status }) => ({ text: status, tone: status === 'active' ? 'good' : 'busy' }),
      RIGHTS: ({ rights }) => rights.join(' '),
      OPENED: 'useCount',
      'EXPIRES (UTC)': 'expiresAt',
    },
  }),
  route('revoke <link>', 'DELETE /workspaces/{ws}/portal-links/{ptl}', {
    summary: 'Revoke a link; its sessions end immediately',
    examples: 'ptl_8kLm3Qz1 --yes',
    flags: yes,
    confirm: ([ptl]) => `Revoke ${ptl} and end its sessions?`,
    done: (_, [ptl]) => [{ portalLinkId: ptl, status: 'revoked' }, `Revoked ${ptl}.`],
  }),
]);

const branded: View<Schema<'Branding'>> = {
  Name: ({ displayName }) => displayName ?? 'that of the organization',
  Logo: ({ logoUrl }) => logoUrl ?? 'not set',
  Color: ({ color }) => color ?? 'not set',
  'Frame ancestors': ({ portalFrameAncestors }) => portalFrameAncestors.join(', ') || 'not set',
};

const origins: Kind<string[] | undefined> = {
  ...words,
  convert: (all: string[] | undefined) => (all?.join() === 'none' ? [] : all),
};

export const branding = group('branding', 'Show and change how pages for customers look', [
  route('show', 'GET /organizations/{org}/branding', { summary: 'Show the branding', examples: '', record: branded }),
  route('set', 'PUT /organizations/{org}/branding', {
    summary: 'Change the given values; none removes one',
    examples: ["--display-name 'Acme' --color '#0b5fff'", '--frame-ancestor https://app.example.com'],
    flags: {
      displayName: ['--display-name <name>', 'name on pages for customers', orNone],
      logoUrl: ['--logo-url <url>', 'https image on pages for customers', orNone],
      color: ['--color <#rrggbb>', 'color of the portal', orNone],
      portalFrameAncestors: ['--frame-ancestor <origins>', 'all origins that may show the portal in a frame', origins],
    },
    /** The API replaces all values, so those that are not given are kept here. */
    async input(options, _, run) {
      const given = omitUndefined(options);
      if (Object.keys(given).length === 0) throw usageError('Give at least one value to change.');
      const { textColor: _derived, ...before } = await readBranding(run);
      return { ...before, ...given };
    },
    record: branded,
  }),
]);

async function readBranding(run: Run): Promise<Schema<'Branding'>> {
  const client = await run.client();
  return await client.get('/organizations/{org}/branding', { params: { path: { org: await run.organizationId() } } });
}
