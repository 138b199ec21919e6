import { Argument, type Command } from 'commander';
import { eventTypes, fitsChannelType, type ChannelType, type EventType } from '../../contract/event-types.ts';
import { addCommand } from '../commands/arguments.ts';
import type { Act, Run } from '../commands/run.ts';
import { usageError } from '../terminal/failures.ts';
import { showTest } from './test-result.ts';

interface TriggerOptions {
  readonly channel?: string;
  readonly destination: string;
}

/** `message.received` means that of the channel's type. */
const shortTypes = [...new Set(eventTypes.map(shortOf))];

export function addTrigger(program: Command, act: Act): void {
  addCommand(program, 'trigger', {
    summary: 'Send a sample event of a type to a destination and show its response; without a type, list the types',
    examples: [
      'channels trigger                                              # all types',
      'channels trigger message.received --channel ch_4fT9aPq2',
      'channels trigger chatapp.message.status --channel ch_4fT9aPq2 --destination sub_8kLm3Qz1',
    ],
  })
    .addArgument(typeArgument())
    .option('--channel <id>', 'ID of the channel')
    .option('--destination <where>', '`webhook`, or the ID of a subscription', 'webhook')
    .addHelpText(
      'after',
      `\nTypes: ${shortTypes.join(', ')}\n\nThe event is signed and sent as a delivery is, marked as a test. It creates no delivery and opens no circuit.`,
    )
    .action(act(trigger));
}

/** The choices are for completion. `typeFor` checks the value, because it depends on the channel. */
function typeArgument(): Argument {
  const argument = new Argument('[type]', 'type of the event');
  argument.argChoices = [...shortTypes];
  return argument;
}

function shortOf(type: EventType): string {
  return type.slice(type.indexOf('.') + 1);
}

async function trigger(run: Run, type: string | undefined, options: TriggerOptions): Promise<void> {
  if (type === undefined) return listTypes(run);
  const { channel: ch, destination } = options;
  if (ch === undefined) throw usageError('--channel is required.', 'See `channels list` for the IDs.');
  const client = await run.inWorkspace();
  const channel = await client.get('/platform/channels/{ch}', { params: { path: { ch } } });
  const body = { eventType: typeFor(type, channel.type) };
  run.progress.show(`Sending ${body.eventType}`);
  const sub = destination === 'webhook' ? null : destination;
  const answer =
    sub === null
      ? await client.post('/webhook-config/{ch}/test', { params: { path: { ch } }, body })
      : await client.post('/channels/{ch}/subscriptions/{sub}/test', { params: { path: { ch, sub } }, body });
  showTest(run, answer);
}

function typeFor(given: string, channelType: ChannelType): EventType {
  const fitting = eventTypes.filter((type) => fitsChannelType(type, channelType));
  const found = fitting.find((type) => type === given || shortOf(type) === given);
  if (found !== undefined) return found;
  const hint = `Use ${fitting.map(shortOf).join(', ')}.`;
  throw usageError(`A ${channelType} channel has no events of the type '${given}'.`, hint);
}

function listTypes({ output }: Run): void {
  const types = eventTypes.map((type) => ({ type, channelType: type.slice(0, type.indexOf('.')) }));
  if (output.isJson) return output.json({ eventTypes: types });
  output.table(types, [
    { title: 'TYPE', of: ({ type }) => shortOf(type) },
    { title: 'CHANNELS', of: ({ channelType }) => channelType },
    { title: 'FULL NAME', of: ({ type }) => type },
  ]);
}
