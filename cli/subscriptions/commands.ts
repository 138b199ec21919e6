import type { Schema } from '../../client/create-client.ts';
import { pendingChoices } from '../../contract/destinations/pending-deliveries.ts';
import { channelEventTypes, eventTypes } from '../../contract/event-types.ts';
import { group } from '../commands/definition.ts';
import { oneOf, orEmpty, pages, required, someOf, yes } from '../commands/flags.ts';
import { route } from '../commands/route.ts';
import type { Run } from '../commands/run.ts';
import { showTest } from '../destinations/commands.ts';
import { type CellValue, fieldsOf, type View } from '../terminal/output.ts';

type Subscription = Schema<'EventSubscription'>;

/** `channels destinations` says why a subscription is disabled. */
function statusOf({ enabled }: Subscription): CellValue {
  return enabled ? { text: 'enabled', tone: 'good' } : { text: 'disabled', tone: 'bad' };
}

const record: View<Subscription> = {
  Subscription: 'subscriptionId',
  URL: 'url',
  Label: 'label',
  Status: statusOf,
  Events: 'events',
  'Last delivered': 'lastDeliveredAt',
  'Last failure': 'lastFailureAt',
  Created: 'createdAt',
};

function show({ output }: Run, answer: { readonly subscription: Subscription }): void {
  output.record(answer, fieldsOf(record, answer.subscription));
}

export const subscriptions = group('subscriptions', 'Manage event subscriptions of a channel', [
  route('list <channel>', 'GET /channels/{ch}/subscriptions', {
    summary: 'List subscriptions',
    flags: pages,
    columns: {
      SUBSCRIPTION: 'subscriptionId',
      LABEL: 'label',
      STATUS: statusOf,
      'LAST DELIVERED (UTC)': 'lastDeliveredAt',
      URL: 'url',
      EVENTS: 'events',
    },
  }),
  route('show <channel> <subscription>', 'GET /channels/{ch}/subscriptions/{sub}', {
    summary: 'Show a subscription',
    show,
  }),
  route('create <channel> <url>', 'POST /channels/{ch}/subscriptions', {
    summary: 'Create a subscription',
    examples: 'ch_4fT9aPq2 https://crm.example.com/hook --events chatapp.message.received --label CRM',
    flags: {
      events: ['--events <list>', 'event types to send', required(someOf(channelEventTypes))],
      label: ['--label <text>', 'label of the subscription'],
      disabled: ['--disabled', 'create the subscription disabled'],
    },
    input: ({ disabled, ...given }, [, url]) => ({ url, ...given, enabled: disabled ? false : undefined }),
    show,
  }),
  route('edit <channel> <subscription>', 'PATCH /channels/{ch}/subscriptions/{sub}', {
    summary: 'Change a subscription',
    examples: 'ch_4fT9aPq2 sub_8kLm3Qz1 --url https://new.example.com/hook --pending keep',
    flags: {
      url: ['--url <url>', 'new URL'],
      events: ['--events <list>', 'event types to send', someOf(channelEventTypes)],
      label: ['--label <text>', 'new label; empty to remove it', orEmpty],
      pending: ['--pending <choice>', 'what to do with deliveries waiting for the old URL', oneOf(pendingChoices)],
    },
    unchanged: 'Nothing to change. Use --url, --events or --label.',
    show,
  }),
  route('enable <channel> <subscription>', 'PATCH /channels/{ch}/subscriptions/{sub}', {
    summary: 'Enable a subscription; earlier events are not sent',
    input: () => ({ enabled: true }),
    show,
  }),
  route('disable <channel> <subscription>', 'PATCH /channels/{ch}/subscriptions/{sub}', {
    summary: 'Disable a subscription; waiting deliveries are skipped',
    input: () => ({ enabled: false }),
    show,
  }),
  route('delete <channel> <subscription>', 'DELETE /channels/{ch}/subscriptions/{sub}', {
    summary: 'Delete a subscription; its waiting deliveries are cancelled',
    examples: 'ch_4fT9aPq2 sub_8kLm3Qz1 --yes',
    flags: yes,
    confirm: ([, sub]) => `Delete ${sub} and cancel its waiting deliveries?`,
    done: (_, [, sub]) => [{ subscriptionId: sub, deleted: true }, `Deleted ${sub}.`],
  }),
  route('test <channel> <subscription>', 'POST /channels/{ch}/subscriptions/{sub}/test', {
    summary: 'Send a test event and show the response',
    flags: {
      eventType: ['--event-type <type>', 'type of the event (default: the first it selects)', oneOf(eventTypes)],
    },
    progress: 'Sending a test event',
    show: showTest,
  }),
]);
