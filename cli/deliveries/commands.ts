import { curlCommand, redactedVariables } from '../../contract/deliveries/curl-command.ts';
import { deliveryStatuses } from '../../contract/deliveries/status.ts';
import { eventTypes } from '../../contract/event-types.ts';
import { safeBlock } from '../../contract/text/safe-text.ts';
import { command, group } from '../commands/definition.ts';
import {
  idempotencyKey,
  joined,
  type Kind,
  local,
  pages,
  someOf,
  spanExclusive,
  wholeNumber,
  yes,
} from '../commands/flags.ts';
import { route } from '../commands/route.ts';
import { dashboardField } from '../links/dashboard-url.ts';
import { workflowUrl } from '../links/workflow-url.ts';
import { type Field, linkCell } from '../terminal/output.ts';
import { deliveryColumns, destinationText, showDelivery } from './delivery-view.ts';
import { follow } from './follow.ts';
import { readSentRequest } from './sent-request.ts';

export const HTTP_STATUS_HELP = 'responses to the last attempt: 5xx, 404 or none, comma-separated';

const inChannel: Kind<string | undefined> = { convert: (ch: string | undefined) => ch && `channel:${ch}` };

export const deliveries = group('deliveries', 'View, retry and replay deliveries', [
  route('list', 'GET /deliveries', {
    summary: 'List deliveries, newest first',
    examples: [
      '--channel ch_4fT9aPq2 --status exhausted --since 24h',
      '--status retrying,exhausted   # failing deliveries of the whole workspace',
      '--http-status 5xx,none --search "my order"',
      "channels deliveries list --status exhausted --all --json | jq -r '.deliveries[].deliveryId'",
    ],
    flags: {
      scope: ['--channel <id>', 'ID of the channel (default: all channels of the workspace)', inChannel],
      status: ['--status <list>', 'statuses to show', joined(someOf(deliveryStatuses))],
      eventType: ['--event-type <list>', 'event types to show', joined(someOf(eventTypes))],
      ...spanExclusive,
      destination: ['--destination <where>', '`webhook`, or the ID of a subscription or listener'],
      sender: ['--sender <id>', 'platform ID of the sender'],
      platformMessageId: ['--message-id <id>', 'platform ID of the message'],
      httpStatus: ['--http-status <list>', HTTP_STATUS_HELP],
      search: ['--search <text>', 'an ID, or a text in the body of the event'],
      ...pages,
    },
    columns: deliveryColumns,
  }),
  route('show <delivery>', 'GET /deliveries/{wd}', {
    summary: 'Show a delivery with its payload and attempts',
    examples: ['wd_4fT9aPq2', 'wd_4fT9aPq2 --payload > event.json'],
    flags: { payload: ['--payload', 'print only the payload, byte for byte', local] },
    async show(run, delivery, { options: { payload } }) {
      const { output, world } = run;
      if (payload) return output.raw(world.stdout.isTTY ? `${safeBlock(delivery.payload)}\n` : delivery.payload);
      const workflow = workflowUrl(world, delivery.workflowId);
      const links = await dashboardField(run, { page: `deliveries/${delivery.deliveryId}` });
      showDelivery(output, delivery, [
        ...links,
        ...(workflow ? [['Workflow page', linkCell(workflow)] satisfies Field] : []),
      ]);
    },
  }),
  command('curl <delivery>', {
    summary: 'Print a request that was sent as a curl command, with its signatures',
    examples: ['wd_4fT9aPq2', 'wd_4fT9aPq2 --attempt 1 | sh', 'wd_9kRt2mXb --test-of ch_4fT9aPq2'],
    flags: {
      attempt: ['--attempt <n>', 'number of the attempt (default: the last one)', wholeNumber],
      testOf: ['--test-of <channel>', 'ID of the channel, if the delivery is a test event'],
    },
    async run(run, [wd], options) {
      const { output } = run;
      const { request, payload } = await readSentRequest(run, wd, options);
      const line = curlCommand({ ...request, payload });
      if (output.isJson) return output.json({ deliveryId: wd, ...request, command: line });
      output.exact(`${line}\n`);
      const variables = redactedVariables(request.headers);
      if (variables.length > 0)
        output.note(`Set ${variables.join(', ')} before you run it: these values are not recorded.`);
    },
  }),
  follow,
  route('retry <delivery>', 'POST /deliveries/{wd}/retry', {
    summary: 'Retry a delivery now; starts a new schedule if it has ended',
    done: ({ status }, [wd]) => `Retrying ${wd} (${status}).`,
  }),
  route('cancel <delivery>', 'POST /deliveries/{wd}/cancel', {
    summary: 'Cancel a waiting delivery',
    examples: 'wd_4fT9aPq2 --yes',
    flags: yes,
    confirm: ([wd]) => `Cancel ${wd}? Its event is not sent.`,
    done: (_, [wd]) => `Cancelled ${wd}.`,
  }),
  route('replay <delivery>', 'POST /deliveries/{wd}/replay', {
    summary: 'Replay an event as a new delivery; for many events, see `channels replays create`',
    examples: ['wd_4fT9aPq2', 'wd_4fT9aPq2 --destination sub_8kLm3Qz1'],
    flags: {
      destination: [
        '--destination <where>',
        '`webhook`, or the ID of a subscription or listener (default: the original destination)',
      ],
      ...idempotencyKey,
    },
    done: (made) => `Created ${made.deliveryId} to ${destinationText(made.destination) ?? 'no destination'}.`,
  }),
]);
