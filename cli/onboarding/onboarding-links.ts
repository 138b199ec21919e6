import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { type ChannelType, channelTypes } from '../../contract/event-types.ts';
import { choiceOption, addGroup, addCommand, parseWholeNumber } from '../commands/arguments.ts';
import { usageError } from '../terminal/failures.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { timeCell } from '../terminal/output.ts';
import { confirm } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';

type Link = Schema<'OnboardingLink'>;

export function addOnboardingLinks(program: Command, act: Act): void {
  const links = addGroup(program, 'onboarding-links', 'Manage onboarding links for customers');
  const creating = addCommand(links, 'create <label>', {
    summary: 'Create a link; by default, it works for any number of accounts',
    examples: [
      "channels onboarding-links create 'Spring campaign' --type chatapp --into ws_8kLm3Qz1",
      "channels onboarding-links create 'Shop 17' --type chatapp --max-uses 1 --success-url https://shop.example/done",
    ],
  })
    .addOption(choiceOption('--type <type>', 'channel type', channelTypes).makeOptionMandatory())
    .option('--into <workspace>', 'workspace for the channels (default: a new customer for each account)');
  withReturns(creating).action(act(create));
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
  addEdit(links, act);
  addCommand(links, 'revoke <link>', {
    summary: 'Revoke a link permanently',
    examples: ['channels onboarding-links revoke ol_8kLm3Qz1 --yes'],
  })
    .option('--yes', 'skip the confirmation')
    .action(
      act(async (run, ol: string, options: { yes?: boolean }) => {
        await confirm(run.world, `Revoke ${ol} permanently?`, options);
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

function addEdit(links: Command, act: Act): void {
  const editing = addCommand(links, 'edit <link>', {
    summary: 'Change a link; none removes a value',
    examples: ["channels onboarding-links edit ol_8kLm3Qz1 --label 'Summer campaign'"],
  })
    .option('--label <text>', 'label shown to the customer')
    .option('--into <workspace>', 'workspace for the channels; none creates a customer for each account');
  withReturns(editing).action(act(edit));
}

interface ReturnOptions {
  readonly successUrl?: string;
  readonly failureUrl?: string;
  readonly notifyUrl?: string;
  readonly externalId?: string;
  readonly displayName?: string;
  readonly logoUrl?: string;
  readonly maxUses?: string;
  readonly expires?: string;
}

function withReturns(command: Command): Command {
  return command
    .option('--success-url <url>', 'where the customer goes after connecting')
    .option('--failure-url <url>', 'where the customer goes if nothing was connected')
    .option('--notify-url <url>', 'receives a signed POST for each connected channel')
    .option('--external-id <id>', 'your id; passed back in URLs and notifications')
    .option('--display-name <name>', 'your name on the page')
    .option('--logo-url <url>', 'your logo on the page')
    .option('--max-uses <count>', 'connections that the link allows (default: any number)')
    .option('--expires <time>', 'ISO 8601 timestamp (default: never)');
}

function returnsOf(options: ReturnOptions) {
  const { successUrl, failureUrl, notifyUrl, externalId, displayName, logoUrl, maxUses, expires } = options;
  const value = (text: string | undefined) => (text === 'none' ? null : text);
  const uses = value(maxUses);
  return omitUndefined({
    successUrl: value(successUrl),
    failureUrl: value(failureUrl),
    connectedNotificationUrl: value(notifyUrl),
    externalId: value(externalId),
    displayName: value(displayName),
    logoUrl: value(logoUrl),
    maxUses: typeof uses === 'string' ? parseWholeNumber(uses) : uses,
    expiresAt: value(expires),
  });
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
    ['Uses', `${link.useCount} of ${link.maxUses ?? 'any number'}`],
    ['Expires', timeCell(link.expiresAt) ?? 'never'],
    ['External id', link.externalId],
    ['Success URL', link.successUrl],
    ['Failure URL', link.failureUrl],
    ['Notification URL', link.connectedNotificationUrl],
    ['Notification secret', link.notificationSecret],
    ['Last notification', notificationText(link)],
    ['Status', { text: link.status, tone: link.status === 'active' ? 'good' : 'quiet' }],
    ['Created', timeCell(link.createdAt)],
  ]);
}

function notificationText({ lastNotification: last }: Link): string | null {
  if (last === null) return null;
  const answer =
    last.attemptCount === 0 ? '' : `, ${last.lastStatus === null ? 'no answer' : `HTTP ${last.lastStatus}`}`;
  return `${last.state} for ${last.channelId}${answer}`;
}

interface CreateOptions extends ReturnOptions {
  readonly type: ChannelType;
  readonly into?: string;
}

async function create(run: Run, label: string, { type, into, ...returns }: CreateOptions): Promise<void> {
  const [client, org] = [await run.client(), await run.organizationId()];
  const body = { label, channelType: type, ...omitUndefined({ workspaceId: into }), ...returnsOf(returns) };
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

interface EditOptions extends ReturnOptions {
  readonly label?: string;
  readonly into?: string;
}

async function edit(run: Run, ol: string, { label, into, ...returns }: EditOptions): Promise<void> {
  const body = { ...omitUndefined({ label, workspaceId: into === 'none' ? null : into }), ...returnsOf(returns) };
  if (Object.keys(body).length === 0) throw usageError('Nothing to change. Use --label, --into or another option.');
  const client = await run.client();
  showLink(run, await client.patch('/organizations/{org}/onboarding-links/{ol}', { ...(await at(run, ol)), body }));
}
