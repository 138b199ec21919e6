import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { type EventType, eventTypes } from '../../contract/event-types.ts';
import { group, leaf, listOption } from '../commands/arguments.ts';
import { given } from '../commands/given.ts';
import { type PageOptions, showList, withPages } from '../commands/listing.ts';
import { when } from '../terminal/output.ts';
import type { Act, Run } from '../commands/run.ts';

type Listener = Schema<'Listener'>;

export function addListeners(program: Command, act: Act): void {
  const listeners = group(program, 'listeners', "What keeps a channel's events for `channels listen`");
  withPages(
    leaf(listeners, 'list <channel>', {
      summary: 'Lists the listeners',
      examples: ['channels listeners list ch_4fT9aPq2'],
    }),
  ).action(act(list));
  leaf(listeners, 'create <channel>', {
    summary: 'Adds a listener; `channels listen` makes one by itself',
    examples: ['channels listeners create ch_4fT9aPq2 --label laptop --events chatapp.message.received'],
  })
    .option('--label <text>', 'for people')
    .addOption(listOption('--events <list>', 'all unless given', eventTypes))
    .option('--idempotency-key <key>', 'makes a repeat harmless')
    .action(act(create));
  leaf(listeners, 'show <channel> <listener>', {
    summary: 'Shows a listener',
    examples: ['channels listeners show ch_4fT9aPq2 lst_8kLm3Qz1'],
  }).action(act(show));
  leaf(listeners, 'delete <channel> <listener>', {
    summary: 'Deletes a listener; what waits for it is cancelled',
    examples: ['channels listeners delete ch_4fT9aPq2 lst_8kLm3Qz1'],
  }).action(act(remove));
}

function showListener({ output }: Run, listener: Listener): void {
  output.record(listener, [
    ['Listener', listener.listenerId],
    ['Channel', listener.channelId],
    ['Label', listener.label],
    ['Events', listener.eventTypes?.join(', ') ?? 'all'],
    ['Last read', when(listener.lastReadAt)],
    ['Kept until', when(listener.expiresAt)],
    ['Created', when(listener.createdAt)],
  ]);
}

async function list(run: Run, ch: string, options: PageOptions): Promise<void> {
  const client = await run.client();
  await showList(run, options, {
    name: 'listeners',
    empty: 'There are no listeners.',
    columns: [
      { title: 'LISTENER', of: ({ listenerId }: Listener) => listenerId },
      { title: 'LABEL', of: ({ label }) => label },
      { title: 'LAST READ (UTC)', of: ({ lastReadAt }) => when(lastReadAt) },
      { title: 'KEPT UNTIL (UTC)', of: ({ expiresAt }) => when(expiresAt) },
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
    params: { path: { ch }, header: given({ 'Idempotency-Key': idempotencyKey }) },
    body: given({ label, eventTypes: events && [...events] }),
  });
  showListener(run, made);
}

async function show(run: Run, ch: string, lst: string): Promise<void> {
  showListener(
    run,
    await (await run.client()).get('/channels/{ch}/listeners/{lst}', { params: { path: { ch, lst } } }),
  );
}

async function remove(run: Run, ch: string, lst: string): Promise<void> {
  await (await run.client()).delete('/channels/{ch}/listeners/{lst}', { params: { path: { ch, lst } } });
  run.output.done({ listenerId: lst, deleted: true }, `${lst} is deleted.`);
}
