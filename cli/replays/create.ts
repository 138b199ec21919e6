import type { Command } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { deliveryStatuses, type DeliveryStatus } from '../../contract/deliveries/status.ts';
import { eventTypes, type EventType } from '../../contract/event-types.ts';
import { instant, leaf, listOption, wholeNumber } from '../commands/arguments.ts';
import { usageError } from '../terminal/failures.ts';
import { given } from '../commands/given.ts';
import { when } from '../terminal/output.ts';
import { canAsk, confirm } from '../terminal/prompt.ts';
import type { Act, Run } from '../commands/run.ts';

interface CreateOptions {
  readonly channel?: string;
  readonly scope?: string;
  readonly since: string;
  readonly until: string;
  readonly status?: readonly DeliveryStatus[];
  readonly eventType?: readonly EventType[];
  readonly destination?: string;
  readonly rate?: number;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly wait?: boolean;
  readonly idempotencyKey?: string;
}

/** What is done with a replay once it is there. */
interface Afterwards {
  readonly waitForEnd: (run: Run, rpl: string) => Promise<Schema<'Replay'>>;
  readonly showReplay: (run: Run, replay: Schema<'Replay'>) => void;
}

export function addCreate(replays: Command, act: Act, afterwards: Afterwards): void {
  leaf(replays, 'create', {
    summary: 'Sends old events again',
    examples: [
      'channels replays create --channel ch_4fT9aPq2 --since 24h --status exhausted --dry-run',
      'channels replays create --channel ch_4fT9aPq2 --since 24h --status exhausted,skipped --wait',
      'channels replays create --scope workspace:ws_8kLm3Qz1 --since 2026-01-31T08:00:00Z --until 2026-01-31T09:00:00Z --yes',
    ],
  })
    .option('--channel <id>', 'of this channel')
    .option('--scope <scope>', 'of channel:<id>, workspace:<id> or organization:<id>')
    .requiredOption('--since <time>', 'made at or after: 30m, 2h, 7d ago, or an instant')
    .option('--until <time>', 'made before', 'now')
    .addOption(listOption('--status <list>', 'in these states now, exhausted unless given', deliveryStatuses))
    .addOption(listOption('--event-type <list>', 'only of these types', eventTypes))
    .option('--destination <where>', "webhook, or a subscription's or listener's id; each delivery's own unless given")
    .option('--rate <n>', 'events a second at most', wholeNumber)
    .option('--dry-run', 'only count them')
    .option('--yes', 'do not ask')
    .option('--wait', 'until everything is sent, with a progress bar')
    .option('--idempotency-key <key>', 'makes a repeat harmless')
    .action(act((run, options: CreateOptions) => create(run, options, afterwards)));
}

async function create(run: Run, options: CreateOptions, { waitForEnd, showReplay }: Afterwards): Promise<void> {
  const { output, world } = run;
  const client = await run.client();
  const body = bodyOf(run, options);
  const count = async () => (await client.post('/replays', { body: { ...body, dryRun: true } })).matched;
  if (options.dryRun) {
    const matched = await count();
    return output.done({ replayId: null, matched }, `${matched} events would be sent again.`);
  }
  if (!options.yes) {
    const matched = canAsk(world) ? await count() : undefined;
    const which = `${body.statuses.join(', ')} since ${when(body.since)}`;
    await confirm(world, `Send ${matched ?? 'all'} events (${which}) of ${body.scope} again?`, {});
  }
  const header = given({ 'Idempotency-Key': options.idempotencyKey });
  const started = await client.post('/replays', { params: { header }, body });
  if (!options.wait || started.replayId === null) {
    return output.done(
      started,
      `${started.replayId} sends ${started.matched} events; see \`channels replays show ${started.replayId}\`.`,
    );
  }
  output.note(`${started.replayId} sends ${started.matched} events. Ctrl-C ends the waiting, not the replay.`);
  const ended = await waitForEnd(run, started.replayId);
  run.progress.end();
  showReplay(run, ended);
}

function bodyOf({ world }: Run, options: CreateOptions) {
  const { channel, scope, status = ['exhausted'], eventType, destination, rate } = options;
  if ((channel === undefined) === (scope === undefined)) throw usageError('Say either --channel or --scope.');
  return {
    scope: scope ?? `channel:${channel}`,
    since: instant(options.since, world) ?? '',
    until: instant(options.until, world) ?? '',
    statuses: [...status],
    ...given({ eventTypes: eventType && [...eventType], destination, ratePerSecond: rate }),
  };
}
