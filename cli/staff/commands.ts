import type { Schema } from '../../client/create-client.ts';
import { deliveryStatuses } from '../../contract/deliveries/status.ts';
import { channelTypes, eventTypes } from '../../contract/event-types.ts';
import { command, group } from '../commands/definition.ts';
import {
  type Flags,
  idempotencyKey,
  joined,
  oneOf,
  pages,
  required,
  someOf,
  span,
  spanExclusive,
  spanOfReplay,
  wholeNumber,
} from '../commands/flags.ts';
import { route } from '../commands/route.ts';
import { deliveryColumns, showDelivery, statusCell } from '../deliveries/delivery-view.ts';
import { countOf } from '../replays/commands.ts';
import { type Field, formatTime, type View } from '../terminal/output.ts';

const reason = {
  reason: ['--reason <text>', 'why, for the audit log of the organization: a ticket number will do', required()],
} as const satisfies Flags;
const resource = [
  '--resource <id>',
  'phone number of the channel, or platform ID of its number, account or Page',
] as const;
const scope = {
  scope: ['--scope <scope>', 'channel:<id>, workspace:<id> or organization:<id>', required()],
} as const satisfies Flags;

function describeHealth(health: Schema<'ChannelHealth'>): Field[] {
  const { waiting, oldestWaitingSeconds: oldest } = health;
  return [
    ['Channel', `${health.channelId} (${health.type} ${health.resourceId}) ${health.displayName}`],
    ['Organization', `${health.organizationId} ${health.organizationName}`],
    ['Workspace', health.workspaceId],
    ['Connected', health.connected],
    ['Credential refused', health.credentialRefusedAt ?? 'no'],
    ['Forwarding', health.forwardingEnabled ? 'on' : 'off'],
    ['Waiting', `${waiting.pending} pending, ${waiting.retrying} retrying`],
    ['Oldest waiting', oldest === null ? null : `${oldest} s`],
    ...health.destinations.map((one) => ['Destination', describeDestination(one)] satisfies Field),
    ['Temporal', health.temporalUrls?.troubled],
  ];
}

function describeDestination(one: Schema<'ChannelHealth'>['destinations'][number]): string {
  const enabled = one.url === null ? 'enabled' : `circuit ${one.circuit.state}`; // nothing is sent to a listener
  const state = one.enabled ? enabled : `disabled (${one.disabledReason ?? 'by_hand'})`;
  const name = [one.subscriptionId ?? one.listenerId ?? one.type, one.url].filter(Boolean).join(' ');
  const probe = one.circuit.nextProbeAt === null ? '' : `, next probe ${formatTime(one.circuit.nextProbeAt)}`;
  const settling = one.notSettlingSince ? `, not settling since ${formatTime(one.notSettlingSince)}` : '';
  const overdue = one.overdueSince ? `, overdue since ${formatTime(one.overdueSince)} (${one.overdueReason})` : '';
  return `${name}: ${state}${probe}${settling}${overdue}`;
}

const replay: View<Schema<'StaffReplay'>> = {
  Replay: 'replayId',
  Status: 'status',
  Scope: 'scope',
  Sent: ({ sent, matched }) => `${sent} of ${matched}`,
  Delivered: 'delivered',
  Failed: 'failed',
  Temporal: 'temporalUrl',
};

const status: View<Schema<'InstallationStatus'>> = {
  Read: 'readAt',
  Workers: ({ workers }) =>
    workers
      .map(({ holder, isLive, seenSeconds, shardCount }) => {
        const state = isLive ? 'live' : 'silent';
        return `${holder} ${state}, seen ${Math.round(seenSeconds)} s ago, ${shardCount} shards`;
      })
      .join('; ') || 'none',
  'Shards unserved': ({ shards }) =>
    shards.unservedCount === 0 ? 'none' : `${shards.unservedCount} for ${Math.round(shards.unservedSeconds)} s`,
  Waiting: ({ backlog }) => backlog.waiting.map((one) => `${one.count} ${one.status}`).join(', '),
  'Oldest waiting': ({ backlog }) =>
    backlog.oldest
      .filter(({ seconds }) => seconds > 0)
      .map((one) => `${one.status} ${Math.round(one.seconds)} s (circuit ${one.circuit})`)
      .join(', ') || 'none',
  PostgreSQL: ({
    database: { seesOthers, connectionCount, connectionLimit, lockWaitCount, oldestTransactionSeconds },
  }) =>
    `${connectionCount} of ${connectionLimit} connections, ${lockWaitCount} wait for a lock, oldest transaction ` +
    `${Math.round(oldestTransactionSeconds)} s${seesOthers ? '' : ' (own sessions only)'}`,
  Temporal: ({ temporal }) => temporal.state,
  'Tasks waiting': ({ temporal }) =>
    (temporal.taskQueues ?? [])
      .filter(({ waitingCount }) => waitingCount > 0)
      .map((one) => `${one.queue} ${one.waitingCount} (${one.kind}), oldest ${Math.round(one.oldestSeconds)} s`)
      .join('; ') || 'none',
};

const replays = group('replays', 'Replay past events of any organization in bulk', [
  route('create', 'POST /staff/replays', {
    summary: 'Replay past events',
    examples: '--scope channel:ch_4fT9aPq2 --since 1h --status skipped --dry-run --reason "Ticket 812"',
    flags: {
      ...reason,
      ...scope,
      ...spanOfReplay,
      statuses: ['--status <list>', 'current statuses to replay; default: exhausted', someOf(deliveryStatuses)],
      ratePerSecond: ['--rate <n>', 'maximum number of events per second', wholeNumber],
      dryRun: ['--dry-run', 'count the events without sending them'],
      ...idempotencyKey,
    },
    input: ({ statuses, dryRun = false, idempotencyKey: _, ...given }) => ({
      ...given,
      statuses: statuses ?? ['exhausted'],
      dryRun,
    }),
    done: (started, _, { dryRun }) =>
      dryRun
        ? `${countOf(started)} events would be sent.`
        : `Started ${started.replayId} with ${countOf(started)} events.`,
  }),
  route('list', 'GET /staff/replays', {
    summary: 'List replays, newest first',
    examples: '--scope channel:ch_4fT9aPq2 --reason "Ticket 812"',
    flags: { ...pages, ...reason, ...scope },
    columns: {
      'CREATED (UTC)': 'createdAt',
      REPLAY: 'replayId',
      STATUS: 'status',
      SCOPE: 'scope',
      SENT: ({ sent, matched }) => `${sent}/${matched}`,
    },
  }),
  route('show <replay>', 'GET /staff/replays/{rpl}', {
    summary: 'Show a replay',
    examples: 'rpl_4fT9aPq2 --reason "Ticket 812"',
    flags: reason,
    record: replay,
  }),
  ...(['pause', 'resume', 'cancel'] as const).map((move) =>
    route(`${move} <replay>`, `POST /staff/replays/{rpl}/${move}`, {
      summary: { pause: 'Pause a replay', resume: 'Resume a paused replay', cancel: 'Cancel a replay' }[move],
      examples: 'rpl_4fT9aPq2 --reason "Ticket 812"',
      flags: reason,
      record: replay,
    }),
  ),
]);

const unrouted = group('unrouted', 'Events of accounts that were not connected', [
  route('list', 'GET /staff/unrouted-events', {
    summary: 'List events of unknown channels, newest first',
    examples: '--resource 199999999999999 --reason "Ticket 812"',
    flags: {
      ...pages,
      ...reason,
      type: ['--type <type>', 'type of the channel', oneOf(channelTypes)],
      resourceId: ['--resource <id>', 'platform ID of the number, account or Page'],
      ...span,
    },
    empty: 'No unrouted events found.',
    columns: {
      'RECEIVED (UTC)': 'receivedAt',
      TYPE: 'type',
      RESOURCE: 'resourceId',
      BYTES: 'sizeBytes',
      'SENT ON (UTC)': 'sentAt',
    },
  }),
  route('send <channel>', 'POST /staff/channels/{ch}/unrouted-events/send', {
    summary: 'Send the events of an account on to its channel, oldest first, each once',
    examples: 'ch_4fT9aPq2 --reason "Ticket 812"',
    flags: {
      ...reason,
      limit: ['--limit <n>', 'maximum number of events (default: 100)', wholeNumber],
      cursor: ['--cursor <cursor>', 'nextCursor of the previous call, to continue after its events'],
    },
    done({ sentCount, skippedCount, nextCursor }, [ch]) {
      const skipped = skippedCount === 0 ? '' : ` Skipped ${skippedCount} that cannot be decrypted or accepted.`;
      const more = nextCursor === null ? '' : ` More are left: run it again with --cursor ${nextCursor}.`;
      return `Sent ${sentCount} events on to ${ch}.${skipped}${more}`;
    },
  }),
]);

export const staff = group('staff', 'Help customers as support staff, with STAFF_API_KEY', [
  { heading: 'Deliveries:' },
  route('search', 'GET /staff/deliveries', {
    summary: 'Search deliveries of all organizations, newest first',
    examples: [
      '--sender 15551230001 --reason "Ticket 812"',
      '--resource "+1 555 078 3881" --since 1h --reason "Ticket 812"',
      '--channel ch_4fT9aPq2 --status retrying --reason "Ticket 812"',
      '--in-organization org_5Jk2nWxR --text "my order" --reason "Ticket 812"',
    ],
    flags: {
      ...pages,
      ...reason,
      sender: ['--sender <id>', 'platform ID of the sender'],
      platformMessageId: ['--platform-message-id <id>', 'platform ID of the message'],
      text: ['--text <text>', 'text in the message; needs a channel, resource, workspace or organization'],
      deliveryId: ['--delivery <id>', 'ID of the delivery'],
      eventId: ['--event <id>', 'ID of the event'],
      channelId: ['--channel <id>', 'ID of the channel'],
      resourceId: resource,
      workspaceId: ['--in-workspace <id>', 'ID of the workspace'],
      organizationId: ['--in-organization <id>', 'ID of the organization'],
      destination: ['--destination <where>', '`webhook`, or the ID of a subscription or listener'],
      status: ['--status <list>', 'statuses to show', joined(someOf(deliveryStatuses))],
      eventType: ['--event-type <list>', 'event types to show', joined(someOf(eventTypes))],
      ...spanExclusive,
    },
    columns: { ...deliveryColumns, CHANNEL: 'channelId', ORGANIZATION: 'organizationName' },
  }),
  route('channels', 'GET /staff/channels', {
    summary: 'Find channels of any organization by number, account or Page, newest first',
    examples: '--resource "+1 555 078 3881" --reason "Ticket 813"',
    flags: { ...pages, ...reason, resourceId: [...resource, required()] },
    columns: {
      CHANNEL: 'channelId',
      TYPE: 'type',
      NAME: 'displayName',
      RESOURCE: 'resourceId',
      CONNECTED: 'connected',
      WORKSPACE: 'workspaceId',
      ORGANIZATION: 'organizationName',
    },
  }),
  command('show <id>', {
    summary: 'Show a delivery with its payload and attempts, or the health of a channel',
    examples: ['wd_4fT9aPq2 --reason "Ticket 813"', 'ch_4fT9aPq2 --reason "Ticket 813"'],
    flags: reason,
    async run(run, [id], query) {
      const client = run.staff();
      if (!id.startsWith('ch_')) {
        const delivery = await client.get('/staff/deliveries/{wd}', { params: { path: { wd: id }, query } });
        return showDelivery(run.output, delivery);
      }
      const health = await client.get('/staff/channels/{ch}', { params: { path: { ch: id }, query } });
      run.output.record(health, describeHealth(health));
    },
  }),
  route('retry <delivery>', 'POST /staff/deliveries/{wd}/retry', {
    summary: 'Retry a delivery now; starts a new schedule if it has ended',
    examples: 'wd_4fT9aPq2 --reason "Ticket 813: they fixed it"',
    flags: reason,
    record: { Delivery: 'deliveryId', Status: statusCell },
  }),
  { heading: 'Events:' },
  route('replay <delivery>', 'POST /staff/deliveries/{wd}/replay', {
    summary: 'Replay the event of a delivery as a new delivery',
    examples: 'wd_4fT9aPq2 --reason "Ticket 812"',
    flags: {
      ...reason,
      destination: [
        '--destination <where>',
        '`webhook`, or the ID of a subscription or listener (default: the original one)',
      ],
      ...idempotencyKey,
    },
    done: ({ deliveryId }, [wd]) => `Replayed ${wd} as ${deliveryId}.`,
  }),
  replays,
  unrouted,
  { heading: 'Installation:' },
  route('status', 'GET /staff/status', {
    summary: 'Show workers, shards, the backlog, PostgreSQL and Temporal with their ages',
    examples: '--reason Alert',
    flags: reason,
    record: status,
  }),
  { heading: 'Audit:' },
  route('audit', 'GET /staff/audit-entries', {
    summary: 'List what staff did, and what happened outside organizations',
    examples: '--reason Review --since 7d',
    flags: {
      ...pages,
      ...reason,
      action: ['--action <name>', 'action to show'],
      actor: ['--actor <id>', 'ID of the staff key'],
      ...span,
    },
    empty: 'No audit entries found.',
    columns: {
      'TIME (UTC)': 'at',
      PERSON: ({ person, actor }) => person ?? actor.id,
      ACTION: 'action',
      TARGET: 'targetId',
      ORGANIZATION: 'organizationId',
      REASON: 'reason',
    },
  }),
]);
