import { hostname } from 'node:os';
import type { Command } from 'commander';
import { type EventType, eventTypes } from '../../contract/event-types.ts';
import { addCommand, listOption, parseWholeNumber } from '../commands/arguments.ts';
import { usageError } from '../terminal/failures.ts';
import { chooseListener } from './choose-listener.ts';
import { listen } from './listen.ts';
import type { Act, Run } from '../commands/run.ts';

interface ListenOptions {
  readonly forwardTo?: string;
  readonly listener?: string;
  readonly label?: string;
  readonly events?: readonly EventType[];
  readonly print?: boolean;
  readonly new?: boolean;
  readonly skipFailed?: boolean;
  readonly timeout: number;
  readonly count?: number;
}

const TIMEOUT_SECONDS = 30;

export function addListen(program: Command, act: Act): void {
  addCommand(program, 'listen <channel>', {
    summary: 'Forward events to a local URL in order, starting with missed ones',
    examples: [
      'channels listen ch_4fT9aPq2 --forward-to http://localhost:4000/webhook',
      'channels listen ch_4fT9aPq2 --print',
      'channels listen ch_4fT9aPq2 --forward-to http://localhost:4000/webhook --events chatapp.message.received --label inbox',
    ],
  })
    .option(
      '--forward-to <url>',
      'local URL that receives the signed events, for example http://localhost:4000/webhook',
    )
    .option('--print', 'print the payloads; works with or without --forward-to')
    .option('--listener <id>', 'ID of an existing listener to read')
    .option(
      '--label <name>',
      'label of the listener; use a different one for each concurrent listener (default: "channels on" and the host name)',
    )
    .addOption(listOption('--events <list>', 'event types of a new listener; default: all', eventTypes))
    .option('--new', 'create a new listener and ignore earlier events')
    .option('--skip-failed', 'skip events that are not accepted instead of retrying them')
    .option('--timeout <seconds>', 'time limit for the local program', parseWholeNumber, TIMEOUT_SECONDS)
    .option('--count <n>', 'number of events to stop after', parseWholeNumber)
    .action(act(listenTo));
}

async function listenTo(run: Run, channelId: string, options: ListenOptions): Promise<void> {
  assertOptions(options);
  const { forwardTo = null, listener, events, timeout, count = Number.POSITIVE_INFINITY } = options;
  const label = options.label ?? `channels on ${hostname()}`;
  const isNew = options.new === true;
  const chosen = await chooseListener(run, { channelId, listener, label, events, isNew });
  const { listenerId } = chosen.listener;
  const state = chosen.isReused ? 'continues where it stopped' : 'is new and receives events from now on';
  run.output.note(`${listenerId} (${chosen.listener.label ?? 'no label'}) ${state}.`);
  await listen(run, {
    ...{ channelId, listenerId, forwardTo, count },
    timeoutMs: timeout * 1000,
    skipsFailed: options.skipFailed === true,
    isPrinted: options.print === true,
  });
}

function assertOptions({ forwardTo, print, listener, events, label, new: isNew }: ListenOptions): void {
  if (forwardTo === undefined && !print) throw usageError('Use --forward-to <url>, --print, or both.');
  if (listener !== undefined && (isNew || events || label)) {
    throw usageError('--listener cannot be combined with --new, --events or --label.');
  }
  if (forwardTo !== undefined && !/^https?:$/.test(URL.parse(forwardTo)?.protocol ?? '')) {
    throw usageError(`Invalid URL '${forwardTo}'.`, 'Use an http URL such as http://localhost:4000/webhook.');
  }
}
