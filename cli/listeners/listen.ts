import type { ApiClient, Schema } from '../../client/create-client.ts';
import { MAX_LISTENER_WAIT_SECONDS } from '../../contract/listeners/bounds.ts';
import type { Run } from '../commands/run.ts';
import { pause, formatSeconds } from '../terminal/pause.ts';
import { type Acknowledgements, createAcknowledgements } from './acknowledgements.ts';
import { forward, type LocalResponse } from './forward.ts';
import { showEvent } from './listen-view.ts';
import { type Persist, persistence } from './persist.ts';

type Delivery = Schema<'ListenerDelivery'>;

export interface Listen {
  readonly channelId: string;
  readonly listenerId: string;
  readonly forwardTo: string | null;
  readonly timeoutMs: number;
  readonly skipsFailed: boolean;
  readonly isPrinted: boolean;
  readonly count: number;
}

interface Listening extends Listen {
  readonly run: Run;
  readonly client: ApiClient;
  readonly persist: Persist;
  readonly acknowledgements: Acknowledgements;
}

const DEFAULT_PAGE_LENGTH = 50;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Receivers reject signatures older than five minutes, so a delivery that waits here is read and signed again. */
const FRESH_MS = 120_000;
const FLUSH_TIMEOUT_MS = 3_000;

/**
 * Reads the listener from its oldest delivery and forwards one delivery at a time, each after the previous one was
 * accepted. A restart reads unacknowledged deliveries again.
 */
export async function listen(run: Run, options: Listen): Promise<void> {
  const persist = persistence(run);
  const client = await run.client();
  const { channelId, listenerId } = options;
  const acknowledgements = createAcknowledgements({ client, channelId, listenerId, persist, output: run.output });
  const listening: Listening = { ...options, run, client, persist, acknowledgements };
  try {
    await readLoop(listening);
  } catch (error) {
    if (!run.world.signal.aborted) throw error;
    run.output.note('\nStopped. New events wait for the next `channels listen`.');
  } finally {
    await flushAfterInterrupt(listening);
  }
}

async function readLoop({ count, ...listening }: Listening): Promise<void> {
  let left = count;
  let isFirst = true;
  while (left > 0) {
    // The first read does not wait, so it returns only missed events.
    const deliveries = await read(listening, isFirst ? 0 : MAX_LISTENER_WAIT_SECONDS);
    if (isFirst) printMissedCount(listening, deliveries.length);
    isFirst = false;
    left -= await forwardAll({ ...listening, count: left }, deliveries);
    await listening.acknowledgements.flush();
  }
}

async function read(
  { client, persist, channelId, listenerId }: Omit<Listening, 'count'>,
  waitSeconds: number,
): Promise<Delivery[]> {
  const params = { path: { ch: channelId, lst: listenerId }, query: { waitSeconds } };
  const { deliveries } = await persist(() => client.get('/channels/{ch}/listeners/{lst}/deliveries', { params }));
  return deliveries;
}

function printMissedCount({ run }: Pick<Listening, 'run'>, count: number): void {
  if (count === 0) return run.output.note('No missed events. Listening; press Ctrl-C to stop.');
  const many = count >= DEFAULT_PAGE_LENGTH ? `${count} or more` : String(count);
  run.output.note(`Listening, starting with missed events (${many}); press Ctrl-C to stop.`);
}

async function forwardAll(listening: Listening, deliveries: readonly Delivery[]): Promise<number> {
  const { run, acknowledgements, count } = listening;
  const readAtMs = run.world.now();
  let ended = 0;
  for (const delivery of deliveries.slice(0, count)) {
    const answer = await forwardUntilAccepted(listening, { delivery, readAtMs });
    if (answer === 'stale') break;
    await acknowledgements.add(delivery, answer);
    ended++;
  }
  return ended;
}

async function forwardUntilAccepted(
  listening: Listening,
  { delivery, readAtMs }: { readonly delivery: Delivery; readonly readAtMs: number },
): Promise<LocalResponse | 'stale'> {
  const { run, forwardTo, timeoutMs, skipsFailed, acknowledgements, isPrinted } = listening;
  const { output, world } = run;
  if (forwardTo === null) {
    showEvent(run, { delivery, answer: null, failures: 0 }, { isPrinted });
    return { outcome: 'accepted', status: null, durationMs: 0, body: null, error: null };
  }
  let pauseMs = FIRST_PAUSE_MS;
  for (let failures = 1; ; failures++) {
    if (world.now() - readAtMs > FRESH_MS) return 'stale';
    const answer = await forward({ world, url: forwardTo, timeoutMs }, delivery);
    const isAccepted = answer.outcome === 'accepted';
    showEvent(
      run,
      { delivery, answer, failures: isAccepted ? 0 : failures },
      { isPrinted: isPrinted && failures === 1 },
    );
    if (isAccepted || skipsFailed) return answer;
    // Acknowledge now, because the local program may be down for a long time.
    await acknowledgements.flush();
    if (failures === 1)
      output.note(`  Retrying in ${formatSeconds(pauseMs)}. To skip failed events, use --skip-failed.`);
    await pause(pauseMs, world);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

/**
 * Sends pending acknowledgements after Ctrl-C aborted all requests. Otherwise the service would deliver these events
 * again.
 */
async function flushAfterInterrupt({ run, acknowledgements }: Listening): Promise<void> {
  try {
    await acknowledgements.flush(await run.clientAfterInterrupt(FLUSH_TIMEOUT_MS));
  } catch (error) {
    run.output.warn(
      `Could not acknowledge the last events. They will be sent again: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
