import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { type ChannelEventType, channelEventTypes, type EventType, eventTypes } from '../../contract/event-types.ts';
import { type PendingChoice, pendingChoices } from '../../contract/destinations/pending-deliveries.ts';
import { choiceOption, addGroup, addCommand, listOption } from '../commands/arguments.ts';
import { usageError } from '../terminal/failures.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { type CellValue, timeCell } from '../terminal/output.ts';
import { confirm } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';
import { showTest } from '../destinations/test-result.ts';

type Subscription = Schema<'EventSubscription'>;

export function addSubscriptions(program: Command, act: Act): void {
  const subscriptions = addGroup(program, 'subscriptions', 'Manage event subscriptions of a channel');
  withPages(
    addCommand(subscriptions, 'list <channel>', {
      summary: 'List subscriptions',
      examples: ['channels subscriptions list ch_4fT9aPq2'],
    }),
  ).action(act(list));
  addCommand(subscriptions, 'show <channel> <subscription>', {
    summary: 'Show a subscription',
    examples: ['channels subscriptions show ch_4fT9aPq2 sub_8kLm3Qz1'],
  }).action(
    act(async (run, ch: string, sub: string) => {
      const client = await run.client();
      showSubscription(run, await client.get('/channels/{ch}/subscriptions/{sub}', at(ch, sub)));
    }),
  );
  addChanges(subscriptions, act);
  addCommand(subscriptions, 'delete <channel> <subscription>', {
    summary: 'Delete a subscription; its waiting deliveries are cancelled',
    examples: ['channels subscriptions delete ch_4fT9aPq2 sub_8kLm3Qz1 --yes'],
  })
    .option('--yes', 'skip the confirmation')
    .action(act(remove));
  addCommand(subscriptions, 'test <channel> <subscription>', {
    summary: 'Send a test event and show the response',
    examples: ['channels subscriptions test ch_4fT9aPq2 sub_8kLm3Qz1'],
  })
    .addOption(choiceOption('--event-type <type>', 'type of the event (default: the first it selects)', eventTypes))
    .action(act(test));
}

function addChanges(subscriptions: Command, act: Act): void {
  addCommand(subscriptions, 'create <channel> <url>', {
    summary: 'Create a subscription',
    examples: [
      'channels subscriptions create ch_4fT9aPq2 https://crm.example.com/hook --events chatapp.message.received --label CRM',
    ],
  })
    .addOption(listOption('--events <list>', 'event types to send', channelEventTypes).makeOptionMandatory())
    .option('--label <text>', 'label of the subscription')
    .option('--disabled', 'create the subscription disabled')
    .action(act(create));
  addCommand(subscriptions, 'edit <channel> <subscription>', {
    summary: 'Change a subscription',
    examples: [
      'channels subscriptions edit ch_4fT9aPq2 sub_8kLm3Qz1 --url https://new.example.com/hook --pending keep',
    ],
  })
    .option('--url <url>', 'new URL')
    .addOption(listOption('--events <list>', 'event types to send', channelEventTypes))
    .option('--label <text>', 'new label; empty to remove it')
    .addOption(choiceOption('--pending <choice>', 'what to do with deliveries waiting for the old URL', pendingChoices))
    .action(act(edit));
  const switches = {
    enable: 'Enable a subscription; earlier events are not sent',
    disable: 'Disable a subscription; waiting deliveries are skipped',
  } as const;
  for (const [name, summary] of Object.entries(switches)) {
    const usage = `${name} <channel> <subscription>`;
    const body = { enabled: name === 'enable' };
    addCommand(subscriptions, usage, {
      summary,
      examples: [`channels subscriptions ${name} ch_4fT9aPq2 sub_8kLm3Qz1`],
    }).action(act((run, ch: string, sub: string) => change(run, { ch, sub, body })));
  }
}

function at(ch: string, sub: string) {
  return { params: { path: { ch, sub } } };
}

/** `channels destinations` says why a subscription is disabled. */
function statusOf({ enabled }: Subscription): CellValue {
  return enabled ? { text: 'enabled', tone: 'good' } : { text: 'disabled', tone: 'bad' };
}

function showSubscription({ output }: Run, answer: Schema<'SubscriptionAnswer'>): void {
  const { subscription } = answer;
  output.record(answer, [
    ['Subscription', subscription.subscriptionId],
    ['URL', subscription.url],
    ['Label', subscription.label],
    ['Status', statusOf(subscription)],
    ['Events', subscription.events.join(', ')],
    ['Last delivered', timeCell(subscription.lastDeliveredAt)],
    ['Last failure', timeCell(subscription.lastFailureAt)],
    ['Created', timeCell(subscription.createdAt)],
  ]);
}

async function list(run: Run, ch: string, options: PageOptions): Promise<void> {
  const client = await run.client();
  await showList(run, options, {
    name: 'subscriptions',
    empty: 'No subscriptions found.',
    columns: [
      { title: 'SUBSCRIPTION', of: ({ subscriptionId }: Subscription) => subscriptionId },
      { title: 'LABEL', of: ({ label }) => label },
      { title: 'STATUS', of: statusOf },
      { title: 'LAST DELIVERED (UTC)', of: ({ lastDeliveredAt }) => timeCell(lastDeliveredAt) },
      { title: 'URL', of: ({ url }) => url },
      { title: 'EVENTS', of: ({ events }) => events.join(', ') },
    ],
    read: (query) => client.get('/channels/{ch}/subscriptions', { params: { path: { ch }, query } }),
  });
}

async function test(run: Run, ...[ch, sub, { eventType }]: [string, string, { eventType?: EventType }]): Promise<void> {
  const client = await run.client();
  run.progress.show('Sending a test event');
  const body = omitUndefined({ eventType });
  showTest(run, await client.post('/channels/{ch}/subscriptions/{sub}/test', { ...at(ch, sub), body }));
}

interface CreateOptions {
  readonly events: readonly ChannelEventType[];
  readonly label?: string;
  readonly disabled?: boolean;
}

async function create(
  run: Run,
  ...[ch, url, { events, label, disabled }]: [string, string, CreateOptions]
): Promise<void> {
  const client = await run.client();
  const answer = await client.post('/channels/{ch}/subscriptions', {
    params: { path: { ch } },
    body: { url, events: [...events], ...omitUndefined({ label, enabled: disabled ? false : undefined }) },
  });
  showSubscription(run, answer);
}

interface EditOptions {
  readonly url?: string;
  readonly events?: readonly ChannelEventType[];
  readonly label?: string;
  readonly pending?: PendingChoice;
}

async function edit(run: Run, ...[ch, sub, options]: [string, string, EditOptions]): Promise<void> {
  const { url, events, label, pending } = options;
  const body = omitUndefined({ url, events: events && [...events], label: label === '' ? null : label, pending });
  if (Object.keys(body).length === 0) throw usageError('Nothing to change. Use --url, --events or --label.');
  await change(run, { ch, sub, body });
}

interface Change {
  readonly ch: string;
  readonly sub: string;
  readonly body: Schema<'EventSubscriptionChange'>;
}

async function change(run: Run, { ch, sub, body }: Change): Promise<void> {
  const client = await run.client();
  showSubscription(run, await client.patch('/channels/{ch}/subscriptions/{sub}', { ...at(ch, sub), body }));
}

async function remove(run: Run, ...[ch, sub, options]: [string, string, { yes?: boolean }]): Promise<void> {
  const client = await run.client();
  await confirm(run.world, `Delete ${sub} and cancel its waiting deliveries?`, options);
  await client.delete('/channels/{ch}/subscriptions/{sub}', at(ch, sub));
  run.output.done({ subscriptionId: sub, deleted: true }, `Deleted ${sub}.`);
}
