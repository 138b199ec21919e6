import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { type EventType, eventTypes } from '../../contract/event-types.ts';
import { addGroup, addCommand, listOption } from '../commands/arguments.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { timeCell } from '../terminal/output.ts';
import { confirm } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';

type Listener = Schema<'Listener'>;

export function addListeners(program: Command, act: Act): void {
  const listeners = addGroup(program, 'listeners', 'Manage listeners for `channels listen`');
  withPages(
    addCommand(listeners, 'list <channel>', {
      summary: 'List listeners',
      examples: ['channels listeners list ch_4fT9aPq2'],
    }),
  ).action(act(list));
  addCommand(listeners, 'create <channel>', {
    summary: 'Create a listener; `channels listen` creates one automatically',
    examples: ['channels listeners create ch_4fT9aPq2 --label laptop --events chatapp.message.received'],
  })
    .option('--label <text>', 'label of the listener')
    .addOption(listOption('--events <list>', 'event types to receive; default: all', eventTypes))
    .option('--idempotency-key <key>', 'key that makes a retry safe')
    .action(act(create));
  addCommand(listeners, 'show <channel> <listener>', {
    summary: 'Show a listener',
    examples: ['channels listeners show ch_4fT9aPq2 lst_8kLm3Qz1'],
  }).action(act(show));
  addCommand(listeners, 'delete <channel> <listener>', {
    summary: 'Delete a listener; its waiting deliveries are cancelled',
    examples: ['channels listeners delete ch_4fT9aPq2 lst_8kLm3Qz1'],
  })
    .option('--yes', 'skip the confirmation')
    .action(act(remove));
}

function showListener({ output }: Run, listener: Listener): void {
  output.record(listener, [
    ['Listener', listener.listenerId],
    ['Channel', listener.channelId],
    ['Label', listener.label],
    ['Events', listener.eventTypes?.join(', ') ?? 'all'],
    ['Last read', timeCell(listener.lastReadAt)],
    ['Expires', timeCell(listener.expiresAt)],
    ['Created', timeCell(listener.createdAt)],
  ]);
}

async function list(run: Run, ch: string, options: PageOptions): Promise<void> {
  const client = await run.client();
  await showList(run, options, {
    name: 'listeners',
    empty: 'No listeners found.',
    columns: [
      { title: 'LISTENER', of: ({ listenerId }: Listener) => listenerId },
      { title: 'LABEL', of: ({ label }) => label },
      { title: 'LAST READ (UTC)', of: ({ lastReadAt }) => timeCell(lastReadAt) },
      { title: 'EXPIRES (UTC)', of: ({ expiresAt }) => timeCell(expiresAt) },
      { title: 'EVENTS', of: ({ eventTypes: types }) => types?.join(', ') ?? 'all' },
    ],
    read: (query) => client.get('/channels/{ch}/listeners', { params: { path: { ch }, query } }),
  });
}

interface CreateOptions {
  readonly label?: string;
  readonly events?: readonly EventType[];
  readonly idempotencyKey?: string;
}

async function create(run: Run, ch: string, { label, events, idempotencyKey }: CreateOptions): Promise<void> {
  const client = await run.client();
  const made = await client.post('/channels/{ch}/listeners', {
    params: { path: { ch }, header: omitUndefined({ 'Idempotency-Key': idempotencyKey }) },
    body: omitUndefined({ label, eventTypes: events && [...events] }),
  });
  showListener(run, made);
}

async function show(run: Run, ch: string, lst: string): Promise<void> {
  showListener(
    run,
    await (await run.client()).get('/channels/{ch}/listeners/{lst}', { params: { path: { ch, lst } } }),
  );
}

async function remove(run: Run, ...[ch, lst, options]: [string, string, { yes?: boolean }]): Promise<void> {
  await confirm(run.world, `Delete ${lst} and its waiting deliveries?`, options);
  await (await run.client()).delete('/channels/{ch}/listeners/{lst}', { params: { path: { ch, lst } } });
  run.output.done({ listenerId: lst, deleted: true }, `Deleted ${lst}.`);
}
