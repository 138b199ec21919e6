import type { Schema } from '../../client/create-client.ts';
import { followDeliveries } from '../../client/delivery-stream.ts';
import { deliveryStatuses } from '../../contract/deliveries/status.ts';
import { eventTypes } from '../../contract/event-types.ts';
import { command } from '../commands/definition.ts';
import { someOf, wholeNumber } from '../commands/flags.ts';
import { destinationText, originText, statusCell } from './delivery-view.ts';
import { formatTime } from '../terminal/output.ts';
import type { Run } from '../commands/run.ts';
import { safeLine } from '../../contract/text/safe-text.ts';
import { padText } from '../terminal/text-width.ts';

export const follow = command('follow [channel]', {
  summary: 'Follow delivery changes of a channel or workspace until Ctrl-C',
  examples: [
    'ch_4fT9aPq2',
    '--status exhausted,retrying   # all channels of the workspace',
    'channels deliveries follow ch_4fT9aPq2 --json | jq -c .delivery',
    'ch_4fT9aPq2 --last-event-id 81234-wd_4fT9aPq2   # continue without a gap',
  ],
  flags: {
    statuses: ['--status <list>', 'statuses to show', someOf(deliveryStatuses)],
    eventTypes: ['--event-type <list>', 'event types to show', someOf(eventTypes)],
    lastEventId: ['--last-event-id <id>', 'ID of the last seen event to continue after'],
    count: ['--count <n>', 'number of changes to stop after', wholeNumber],
  },
  async run(run, [channelId], { count = Number.POSITIVE_INFINITY, ...following }) {
    const { output, world } = run;
    let isLost = false;
    let shown = 0;
    const place = channelId ?? (await run.workspaceId());
    const changes = followDeliveries({
      ...following,
      client: await run.inWorkspace(),
      signal: world.signal,
      scope: channelId === undefined ? `workspace:${place}` : `channel:${place}`,
      onOpen() {
        output.note(isLost ? 'Reconnected. Missed changes come first.' : `Following ${place}. Press Ctrl-C to stop.`);
        isLost = false;
      },
      onLost(reason) {
        if (!isLost) output.warn(`Connection lost: ${reason.message}. Reconnecting.`);
        isLost = true;
      },
    });
    for await (const change of changes) {
      if (output.isJson) output.jsonLine(change);
      else showLine(run, change.delivery);
      if (++shown >= count) return;
    }
    output.note('\nStopped.');
  },
});

function showLine({ output, world }: Run, delivery: Schema<'DeliverySummary'>): void {
  const at = formatTime(new Date(world.now()).toISOString())?.slice('2026-01-01 '.length);
  const text = padText(delivery.status, 'cancelled'.length);
  const painted = output.paint(statusCell(delivery).tone, text);
  const { deliveryId, eventType, sender, destination } = delivery;
  const origin = originText(delivery);
  const parts = [deliveryId, eventType, sender ?? '-', destinationText(destination) ?? '-'];
  const shown = origin === null ? parts : [...parts, `replay of ${origin}`];
  output.line(`${at}  ${painted}  ${shown.map((part) => safeLine(part)).join('  ')}`);
}
