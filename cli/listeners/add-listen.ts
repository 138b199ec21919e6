import { hostname } from 'node:os';
import type { Command } from 'commander';
import { type EventType, eventTypes } from '../../contract/event-types.ts';
import { leaf, listOption, wholeNumber } from '../commands/arguments.ts';
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
  leaf(program, 'listen <channel>', {
    summary: "Forwards the channel's events to a local port, in order; what came while it was off comes first",
    examples: [
      'channels listen ch_4fT9aPq2 --forward-to http://localhost:4000/webhook',
      'channels listen ch_4fT9aPq2 --print',
      'channels listen ch_4fT9aPq2 --forward-to http://localhost:4000/webhook --events chatapp.message.received --label inbox',
    ],
  })
    .option('--forward-to <url>', 'where to, such as http://localhost:4000/webhook; with all headers, signed')
    .option('--print', 'show the payloads too; without --forward-to, only that')
    .option('--listener <id>', 'read this listener')
    .option('--label <name>', 'name of the listener; two at the same time need two; the computer unless given')
    .addOption(listOption('--events <list>', 'only these, of a new listener; all unless given', eventTypes))
    .option('--new', 'begin afresh: with a listener of its own, and nothing from before')
    .option(
      '--skip-failed',
      'give up what is not accepted, and go on with the next; it is kept and tried again otherwise',
    )
    .option('--timeout <seconds>', 'how long the local program may take', wholeNumber, TIMEOUT_SECONDS)
    .option('--count <n>', 'end after so many', wholeNumber)
    .action(act(listenTo));
}

async function listenTo(run: Run, channelId: string, options: ListenOptions): Promise<void> {
  assertSensible(options);
  const { forwardTo = null, listener, events, timeout, count = Number.POSITIVE_INFINITY } = options;
  const label = options.label ?? `channels on ${hostname()}`;
  const isNew = options.new === true;
  const chosen = await chooseListener(run, { channelId, listener, label, events, isNew });
  const { listenerId } = chosen.listener;
  const course = chosen.isReused ? 'goes on where it was' : 'is new, and gets what comes from now on';
  run.output.note(`${listenerId} (${chosen.listener.label ?? 'no label'}) ${course}.`);
  await listen(run, {
    ...{ channelId, listenerId, forwardTo, count },
    timeoutMs: timeout * 1000,
    skipsFailed: options.skipFailed === true,
    isPrinted: options.print === true,
  });
}

function assertSensible({ forwardTo, print, listener, events, label, new: isNew }: ListenOptions): void {
  if (forwardTo === undefined && !print) throw usageError('Say --forward-to <url>, --print, or both.');
  if (listener !== undefined && (isNew || events || label)) {
    throw usageError('--listener goes with neither --new, --events nor --label: they are for choosing one.');
  }
  if (forwardTo !== undefined && !/^https?:$/.test(URL.parse(forwardTo)?.protocol ?? '')) {
    throw usageError(`${forwardTo} is no URL.`, 'It looks like http://localhost:4000/webhook.');
  }
}
