import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { type ChannelEventType, channelEventTypes } from '../../contract/event-types.ts';
import { type PendingChoice, pendingChoices } from '../../contract/destinations/pending-deliveries.ts';
import { choiceOption, group, leaf, listOption } from '../commands/arguments.ts';
import { usageError } from '../terminal/failures.ts';
import { given } from '../commands/given.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { type Shown, when } from '../terminal/output.ts';
import { confirm } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';
import { showTest } from '../destinations/test-result.ts';

type Subscription = Schema<'EventSubscription'>;

export function addSubscriptions(program: Command, act: Act): void {
  const subscriptions = group(program, 'subscriptions', "More URLs that receive some of a channel's events");
  withPages(
    leaf(subscriptions, 'list <channel>', {
      summary: 'Lists the subscriptions',
      examples: ['channels subscriptions list ch_4fT9aPq2'],
    }),
  ).action(act(list));
  leaf(subscriptions, 'show <channel> <subscription>', {
    summary: 'Shows a subscription',
    examples: ['channels subscriptions show ch_4fT9aPq2 sub_8kLm3Qz1'],
  }).action(
    act(async (run, ch: string, sub: string) => {
      const client = await run.client();
      showSubscription(run, await client.get('/channels/{ch}/subscriptions/{sub}', at(ch, sub)));
    }),
  );
  addChanges(subscriptions, act);
  leaf(subscriptions, 'delete <channel> <subscription>', {
    summary: 'Deletes a subscription; deliveries that wait for it are cancelled',
    examples: ['channels subscriptions delete ch_4fT9aPq2 sub_8kLm3Qz1 --yes'],
  })
    .option('--yes', 'do not ask')
    .action(act(remove));
  leaf(subscriptions, 'test <channel> <subscription>', {
    summary: 'Sends a sample event to the subscription and shows the answer',
    examples: ['channels subscriptions test ch_4fT9aPq2 sub_8kLm3Qz1'],
  }).action(
    act(async (run, ch: string, sub: string) => {
      const client = await run.client();
      run.progress.show('Sending a sample event');
      showTest(run, await client.post('/channels/{ch}/subscriptions/{sub}/test', at(ch, sub)));
    }),
  );
}

function addChanges(subscriptions: Command, act: Act): void {
  leaf(subscriptions, 'create <channel> <url>', {
    summary: 'Adds a URL that receives some of the events',
    examples: [
      'channels subscriptions create ch_4fT9aPq2 https://crm.example.com/hook --events chatapp.message.received --label CRM',
    ],
  })
    .addOption(listOption('--events <list>', 'which', channelEventTypes).makeOptionMandatory())
    .option('--label <text>', 'for people')
    .option('--disabled', 'send nothing yet')
    .action(act(create));
  leaf(subscriptions, 'edit <channel> <subscription>', {
    summary: 'Changes what is given, and leaves the rest',
    examples: [
      'channels subscriptions edit ch_4fT9aPq2 sub_8kLm3Qz1 --url https://new.example.com/hook --pending keep',
    ],
  })
    .option('--url <url>')
    .addOption(listOption('--events <list>', 'which', channelEventTypes))
    .option('--label <text>', 'an empty one takes it away')
    .addOption(
      choiceOption('--pending <choice>', 'what becomes of deliveries that wait for the old URL', pendingChoices),
    )
    .action(act(edit));
  const switches = {
    enable: 'Sends what comes from now on; nothing old',
    disable: 'Sends nothing, and skips what waits',
  } as const;
  for (const [name, summary] of Object.entries(switches)) {
    const usage = `${name} <channel> <subscription>`;
    const body = { enabled: name === 'enable' };
    leaf(subscriptions, usage, {
      summary,
      examples: [`channels subscriptions ${name} ch_4fT9aPq2 sub_8kLm3Qz1`],
    }).action(act((run, ch: string, sub: string) => change(run, { ch, sub, body })));
  }
}

function at(ch: string, sub: string) {
  return { params: { path: { ch, sub } } };
}

function stateOf({ enabled, disabledReason }: Subscription): Shown {
  if (enabled) return { text: 'enabled', tone: 'good' };
  return { text: disabledReason === null ? 'disabled' : `disabled (${disabledReason})`, tone: 'bad' };
}

function showSubscription({ output }: Run, answer: Schema<'SubscriptionAnswer'>): void {
  const { subscription } = answer;
  output.record(answer, [
    ['Subscription', subscription.subscriptionId],
    ['URL', subscription.url],
    ['Label', subscription.label],
    ['State', stateOf(subscription)],
    ['Events', subscription.events.join(', ')],
    ['Last delivered', when(subscription.lastDeliveredAt)],
    ['Last failure', when(subscription.lastFailureAt)],
    ['Created', when(subscription.createdAt)],
  ]);
}

async function list(run: Run, ch: string, options: PageOptions): Promise<void> {
  const client = await run.client();
  await showList(run, options, {
    name: 'subscriptions',
    empty: 'There are no subscriptions.',
    columns: [
      { title: 'SUBSCRIPTION', of: ({ subscriptionId }: Subscription) => subscriptionId },
      { title: 'LABEL', of: ({ label }) => label },
      { title: 'STATE', of: stateOf },
      { title: 'LAST DELIVERED (UTC)', of: ({ lastDeliveredAt }) => when(lastDeliveredAt) },
      { title: 'URL', of: ({ url }) => url },
      { title: 'EVENTS', of: ({ events }) => events.join(', ') },
    ],
    read: (query) => client.get('/channels/{ch}/subscriptions', { params: { path: { ch }, query } }),
  });
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
    body: { url, events: [...events], ...given({ label, enabled: disabled ? false : undefined }) },
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
  const body = given({ url, events: events && [...events], label: label === '' ? null : label, pending });
  if (Object.keys(body).length === 0) throw usageError('Say what to change: --url, --events or --label.');
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
  await confirm(run.world, `Delete ${sub}, and cancel what waits for it?`, options);
  await client.delete('/channels/{ch}/subscriptions/{sub}', at(ch, sub));
  run.output.done({ subscriptionId: sub, deleted: true }, `${sub} is deleted.`);
}
