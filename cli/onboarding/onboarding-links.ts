import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { type ChannelType, channelTypes } from '../../contract/event-types.ts';
import { choiceOption, addGroup, addCommand } from '../commands/arguments.ts';
import { usageError } from '../terminal/failures.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { formatTime } from '../terminal/output.ts';
import type { Act, Run } from '../commands/run.ts';

type Link = Schema<'OnboardingLink'>;

export function addOnboardingLinks(program: Command, act: Act): void {
  const links = addGroup(program, 'onboarding-links', 'Manage onboarding links for customers');
  addCommand(links, 'create <label>', {
    summary: 'Create a link; it works for any number of accounts',
    examples: ["channels onboarding-links create 'Spring campaign' --type chatapp --into ws_8kLm3Qz1"],
  })
    .addOption(choiceOption('--type <type>', 'channel type', channelTypes).makeOptionMandatory())
    .option('--into <workspace>', 'workspace for the channels (default: a new customer for each account)')
    .action(act(create));
  withPages(
    addCommand(links, 'list', { summary: 'List links, newest first', examples: ['channels onboarding-links list'] }),
  ).action(act(list));
  addCommand(links, 'show <link>', {
    summary: 'Show a link',
    examples: ['channels onboarding-links show ol_8kLm3Qz1'],
  }).action(
    act(async (run, ol: string) =>
      showLink(run, await (await run.client()).get('/organizations/{org}/onboarding-links/{ol}', await at(run, ol))),
    ),
  );
  addCommand(links, 'edit <link>', {
    summary: 'Change the label or workspace of a link',
    examples: ["channels onboarding-links edit ol_8kLm3Qz1 --label 'Summer campaign'"],
  })
    .option('--label <text>', 'label shown to the customer')
    .option('--into <workspace>', 'workspace for the channels; none creates a customer for each account')
    .action(act(edit));
  addCommand(links, 'revoke <link>', {
    summary: 'Revoke a link permanently',
    examples: ['channels onboarding-links revoke ol_8kLm3Qz1'],
  }).action(
    act(async (run, ol: string) => {
      await (await run.client()).delete('/organizations/{org}/onboarding-links/{ol}', await at(run, ol));
      run.output.done({ onboardingLinkId: ol, status: 'revoked' }, `Revoked ${ol}.`);
    }),
  );
  addCommand(links, 'regenerate <link>', {
    summary: 'Replace the URL of a link; the old one stops working',
    examples: ['channels onboarding-links regenerate ol_8kLm3Qz1'],
  }).action(
    act(async (run, ol: string) =>
      showLink(
        run,
        await (await run.client()).post('/organizations/{org}/onboarding-links/{ol}/regenerate', await at(run, ol)),
      ),
    ),
  );
}

async function at(run: Run, ol: string) {
  return { params: { path: { org: await run.organizationId(), ol } } };
}

function showLink({ output }: Run, link: Link): void {
  output.record(link, [
    ['Link', link.onboardingLinkId],
    ['URL', link.url],
    ['Label', link.label],
    ['Channel type', link.channelType],
    ['Workspace', link.workspaceId ?? 'new customer for each account'],
    ['Status', { text: link.status, tone: link.status === 'active' ? 'good' : 'quiet' }],
    ['Created', formatTime(link.createdAt)],
  ]);
}

async function create(run: Run, label: string, { type, into }: { type: ChannelType; into?: string }): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  const body = { label, channelType: type, ...omitUndefined({ workspaceId: into }) };
  showLink(run, await client.post('/organizations/{org}/onboarding-links', { params: { path: { org } }, body }));
}

async function list(run: Run, options: PageOptions): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  await showList(run, options, {
    name: 'onboardingLinks',
    empty: 'No links found.',
    columns: [
      { title: 'LINK', of: ({ onboardingLinkId }: Link) => onboardingLinkId },
      { title: 'LABEL', of: ({ label }) => label },
      { title: 'TYPE', of: ({ channelType }) => channelType },
      { title: 'STATUS', of: ({ status }) => ({ text: status, tone: status === 'active' ? 'good' : 'quiet' }) },
      { title: 'WORKSPACE', of: ({ workspaceId }) => workspaceId },
      { title: 'URL', of: ({ url }) => url },
    ],
    read: (query) => client.get('/organizations/{org}/onboarding-links', { params: { path: { org }, query } }),
  });
}

async function edit(run: Run, ol: string, { label, into }: { label?: string; into?: string }): Promise<void> {
  const body = omitUndefined({ label, workspaceId: into === 'none' ? null : into });
  if (Object.keys(body).length === 0) throw usageError('Nothing to change. Use --label or --into.');
  const client = await run.client();
  showLink(run, await client.patch('/organizations/{org}/onboarding-links/{ol}', { ...(await at(run, ol)), body }));
}
