import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { type ChannelType, channelTypes } from '../../contract/event-types.ts';
import { choiceOption, group, leaf } from '../commands/arguments.ts';
import { usageError } from '../terminal/failures.ts';
import { given } from '../commands/given.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { when } from '../terminal/output.ts';
import type { Act, Run } from '../commands/run.ts';

type Link = Schema<'OnboardingLink'>;

export function addOnboardingLinks(program: Command, act: Act): void {
  const links = group(program, 'onboarding-links', 'What customers open to connect a channel');
  leaf(links, 'create <label>', {
    summary: 'Makes a link; it may be used for several accounts',
    examples: ["channels onboarding-links create 'Spring campaign' --type chatapp --into ws_8kLm3Qz1"],
  })
    .addOption(choiceOption('--type <type>', 'of the channel', channelTypes).makeOptionMandatory())
    .option('--into <workspace>', 'what gets the channel; each account gets a customer of its own unless given')
    .action(act(create));
  withPages(
    leaf(links, 'list', { summary: 'Lists the links, newest first', examples: ['channels onboarding-links list'] }),
  ).action(act(list));
  leaf(links, 'show <link>', {
    summary: 'Shows a link',
    examples: ['channels onboarding-links show ol_8kLm3Qz1'],
  }).action(
    act(async (run, ol: string) =>
      showLink(run, await (await run.client()).get('/organizations/{org}/onboarding-links/{ol}', await at(run, ol))),
    ),
  );
  leaf(links, 'edit <link>', {
    summary: 'Changes the label or the workspace',
    examples: ["channels onboarding-links edit ol_8kLm3Qz1 --label 'Summer campaign'"],
  })
    .option('--label <text>', 'what the customer reads')
    .option('--into <workspace>', 'what gets the channel; none for a customer of its own')
    .action(act(edit));
  leaf(links, 'revoke <link>', {
    summary: 'Revokes a link for good',
    examples: ['channels onboarding-links revoke ol_8kLm3Qz1'],
  }).action(
    act(async (run, ol: string) => {
      await (await run.client()).delete('/organizations/{org}/onboarding-links/{ol}', await at(run, ol));
      run.output.done({ onboardingLinkId: ol, status: 'revoked' }, `${ol} is revoked.`);
    }),
  );
  leaf(links, 'regenerate <link>', {
    summary: 'Gives a link a new address; the old one ends at once',
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
    ['Address', link.url],
    ['Label', link.label],
    ['Channel type', link.channelType],
    ['Into', link.workspaceId ?? 'a customer of its own for each account'],
    ['Status', { text: link.status, tone: link.status === 'active' ? 'good' : 'quiet' }],
    ['Created', when(link.createdAt)],
  ]);
}

async function create(run: Run, label: string, { type, into }: { type: ChannelType; into?: string }): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  const body = { label, channelType: type, ...given({ workspaceId: into }) };
  showLink(run, await client.post('/organizations/{org}/onboarding-links', { params: { path: { org } }, body }));
}

async function list(run: Run, options: PageOptions): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  await showList(run, options, {
    name: 'onboardingLinks',
    empty: 'There are no links.',
    columns: [
      { title: 'LINK', of: ({ onboardingLinkId }: Link) => onboardingLinkId },
      { title: 'LABEL', of: ({ label }) => label },
      { title: 'TYPE', of: ({ channelType }) => channelType },
      { title: 'STATUS', of: ({ status }) => ({ text: status, tone: status === 'active' ? 'good' : 'quiet' }) },
      { title: 'INTO', of: ({ workspaceId }) => workspaceId },
      { title: 'ADDRESS', of: ({ url }) => url },
    ],
    read: (query) => client.get('/organizations/{org}/onboarding-links', { params: { path: { org }, query } }),
  });
}

async function edit(run: Run, ol: string, { label, into }: { label?: string; into?: string }): Promise<void> {
  const body = given({ label, workspaceId: into === 'none' ? null : into });
  if (Object.keys(body).length === 0) throw usageError('Say --label or --into.');
  const client = await run.client();
  showLink(run, await client.patch('/organizations/{org}/onboarding-links/{ol}', { ...(await at(run, ol)), body }));
}
