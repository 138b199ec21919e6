import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import {
  DEFAULT_PORTAL_SECONDS,
  MAX_PORTAL_SECONDS,
  MIN_PORTAL_SECONDS,
  type PortalRight,
  portalRights,
} from '../../contract/identity/portal.ts';
import { addCommand, addGroup, listOption, parseList, parseWholeNumber } from '../commands/arguments.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { confirm } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';
import { type Column, timeCell } from '../terminal/output.ts';

type Link = Schema<'PortalLink'>;

interface CreateOptions {
  readonly right: PortalRight[];
  readonly channel?: string[];
  readonly minutes?: string;
  readonly name?: string;
}

const [least, most, usual] = [MIN_PORTAL_SECONDS, MAX_PORTAL_SECONDS, DEFAULT_PORTAL_SECONDS].map((each) => each / 60);

export function addPortalLinks(program: Command, act: Act): void {
  const links = addGroup(program, 'portal-links', 'Manage links to pages for one customer');
  addCommand(links, 'create', {
    summary: 'Create a link to the channels of the workspace; its URL is shown once',
    examples: [
      'channels portal-links create --workspace ws_8kLm3Qz1 --right deliveries.retry,subscriptions.manage',
      'channels portal-links create --right deliveries.read --channel ch_4fT9aPq2 --minutes 15',
    ],
  })
    .addOption(listOption('--right <rights>', 'what the customer may do', portalRights).makeOptionMandatory())
    .option('--channel <id>', 'only this channel; repeatable (default: all)', parseList)
    .option('--minutes <count>', `lifetime, ${least} to ${most} (default: ${usual})`)
    .option('--name <name>', 'tells your links apart')
    .action(act(create));
  withPages(
    addCommand(links, 'list', { summary: 'List links of the last week', examples: ['channels portal-links list'] }),
  ).action(act(list));
  addCommand(links, 'revoke <link>', {
    summary: 'Revoke a link; its sessions end immediately',
    examples: ['channels portal-links revoke ptl_8kLm3Qz1 --yes'],
  })
    .option('--yes', 'skip the confirmation')
    .action(
      act(async (run, ptl: string, options: { yes?: boolean }) => {
        await confirm(run.world, `Revoke ${ptl} and end its sessions?`, options);
        const [client, ws] = [await run.client(), await run.workspaceId()];
        await client.delete('/workspaces/{ws}/portal-links/{ptl}', { params: { path: { ws, ptl } } });
        run.output.done({ portalLinkId: ptl, status: 'revoked' }, `Revoked ${ptl}.`);
      }),
    );
}

async function create(run: Run, { right: rights, channel: channelIds, minutes, name }: CreateOptions): Promise<void> {
  const [client, ws] = [await run.client(), await run.workspaceId()];
  const expiresIn = minutes === undefined ? undefined : parseWholeNumber(minutes) * 60;
  const link = await client.post('/workspaces/{ws}/portal-links', {
    params: { path: { ws } },
    body: { rights, ...omitUndefined({ channelIds, expiresIn, name }) },
  });
  run.output.record(link, [
    ['Link', link.portalLinkId],
    ['URL', link.url],
    ['Rights', link.rights.join(', ')],
    ['Channels', link.channelIds?.join(', ') ?? 'all'],
    ['Expires', timeCell(link.expiresAt)],
  ]);
}

const columns: readonly Column<Link>[] = [
  { title: 'LINK', of: ({ portalLinkId }) => portalLinkId },
  { title: 'NAME', of: ({ name }) => name },
  { title: 'STATUS', of: ({ status }) => ({ text: status, tone: status === 'active' ? 'good' : 'busy' }) },
  { title: 'RIGHTS', of: ({ rights }) => rights.join(' ') },
  { title: 'OPENED', of: ({ useCount }) => useCount },
  { title: 'EXPIRES (UTC)', of: ({ expiresAt }) => timeCell(expiresAt) },
];

async function list(run: Run, options: PageOptions): Promise<void> {
  const [client, ws] = [await run.client(), await run.workspaceId()];
  await showList(run, options, {
    name: 'portalLinks',
    columns,
    empty: 'No portal links found.',
    read: (query) => client.get('/workspaces/{ws}/portal-links', { params: { path: { ws }, query } }),
  });
}
