import { hostname } from 'node:os';
import { eventTypes } from '../../contract/event-types.ts';
import { command } from '../commands/definition.ts';
import { fallback, type Flags, type Given, someOf, wholeNumber } from '../commands/flags.ts';
import { usageError } from '../terminal/failures.ts';
import { chooseListener } from './choose-listener.ts';
import { listen } from './listen.ts';

const TIMEOUT_SECONDS = 30;

const flags = {
  forwardTo: [
    '--forward-to <url>',
    'local URL that receives the signed events, for example http://localhost:4000/webhook',
  ],
  print: ['--print', 'print the payloads; works with or without --forward-to'],
  listener: ['--listener <id>', 'ID of an existing listener to read'],
  label: [
    '--label <name>',
    'label of the listener; use a different one for each concurrent listener (default: "channels on" and the host name)',
  ],
  events: ['--events <list>', 'event types of a new listener; default: all', someOf(eventTypes)],
  new: ['--new', 'create a new listener and ignore earlier events'],
  skipFailed: ['--skip-failed', 'skip events that are not accepted instead of retrying them'],
  timeout: ['--timeout <seconds>', 'time limit for the local program', fallback(TIMEOUT_SECONDS, wholeNumber)],
  count: ['--count <n>', 'number of events to stop after', wholeNumber],
} as const satisfies Flags;

export const listenCommand = command('listen <channel>', {
  summary: 'Forward events to a local URL in order, starting with missed ones',
  examples: [
    'ch_4fT9aPq2 --forward-to http://localhost:4000/webhook',
    'ch_4fT9aPq2 --print',
    'ch_4fT9aPq2 --forward-to http://localhost:4000/webhook --events chatapp.message.received --label inbox',
  ],
  flags,
  async run(run, [channelId], options) {
    assertOptions(options);
    const { forwardTo = null, listener, events, timeout, count = Number.POSITIVE_INFINITY } = options;
    const label = options.label ?? `channels on ${hostname()}`;
    const chosen = await chooseListener(run, { channelId, listener, label, events, isNew: options.new === true });
    const { listenerId } = chosen.listener;
    const state = chosen.isReused ? 'continues where it stopped' : 'is new and receives events from now on';
    run.output.note(`${listenerId} (${chosen.listener.label ?? 'no label'}) ${state}.`);
    await listen(run, {
      channelId,
      listenerId,
      forwardTo,
      count,
      timeoutMs: timeout * 1000,
      skipsFailed: options.skipFailed === true,
      isPrinted: options.print === true,
    });
  },
});

function assertOptions({ forwardTo, print, listener, events, label, new: isNew }: Given<typeof flags>): void {
  if (forwardTo === undefined && !print) throw usageError('Use --forward-to <url>, --print, or both.');
  if (listener !== undefined && (isNew || events || label)) {
    throw usageError('--listener cannot be combined with --new, --events or --label.');
  }
  if (forwardTo !== undefined && !/^https?:$/.test(URL.parse(forwardTo)?.protocol ?? '')) {
    throw usageError(`Invalid URL '${forwardTo}'.`, 'Use an http URL such as http://localhost:4000/webhook.');
  }
}
