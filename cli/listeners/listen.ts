import type { ApiClient, Schema } from '../../client/create-client.ts';
import { MAX_LISTENER_WAIT_SECONDS } from '../../contract/listeners/bounds.ts';
import type { Run } from '../commands/run.ts';
import { pause, seconds } from '../terminal/waiting.ts';
import { type Acknowledgements, createAcknowledgements } from './acknowledgements.ts';
import { forward, type LocalAnswer } from './forward.ts';
import { showEvent } from './listen-view.ts';
import { type Persist, persistence } from './persist.ts';

type Delivery = Schema<'ListenerDelivery'>;

export interface Listen {
  readonly channelId: string;
  readonly listenerId: string;
  /** Null prints only. */
  readonly forwardTo: string | null;
  readonly timeoutMs: number;
  /** A delivery that the local program does not accept is given up, and the next one comes. */
  readonly skipsFailed: boolean;
  readonly isPrinted: boolean;
  /** Ends after so many. */
  readonly count: number;
}

interface Listening extends Listen {
  readonly run: Run;
  readonly client: ApiClient;
  readonly persist: Persist;
  readonly acknowledgements: Acknowledgements;
}

/** Of a read that asks for no other. */
const DEFAULT_PAGE_LENGTH = 50;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Receivers refuse signatures of five minutes ago, so that a delivery that waits here is read, and signed, anew. */
const FRESH_MS = 120_000;
const LAST_WORDS_MS = 3_000;

/**
 * Reads the listener from its oldest delivery on and hands each to the local program, one after the other: the next one
 * comes when this one is accepted. What is not acknowledged is there again after a restart.
 */
export async function listen(run: Run, options: Listen): Promise<void> {
  const persist = persistence(run);
  const client = await run.client();
  const { channelId, listenerId } = options;
  const acknowledgements = createAcknowledgements({ client, channelId, listenerId, persist, output: run.output });
  const listening: Listening = { ...options, run, client, persist, acknowledgements };
  try {
    await readOn(listening);
  } catch (error) {
    if (!run.world.signal.aborted) throw error;
    run.output.note('\nStopped; what comes from now on waits for the next `channels listen`.');
  } finally {
    await sayLastWords(listening);
  }
}

async function readOn({ count, ...listening }: Listening): Promise<void> {
  let left = count;
  let isFirst = true;
  while (left > 0) {
    // The first read does not wait, so that it shows what came while nobody listened.
    const deliveries = await read(listening, isFirst ? 0 : MAX_LISTENER_WAIT_SECONDS);
    if (isFirst) sayWhatWaits(listening, deliveries.length);
    isFirst = false;
    left -= await handOver({ ...listening, count: left }, deliveries);
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

function sayWhatWaits({ run }: Pick<Listening, 'run'>, count: number): void {
  if (count === 0) return run.output.note('Nothing waits. Listening; Ctrl-C ends it.');
  const many = count >= DEFAULT_PAGE_LENGTH ? `${count} or more` : String(count);
  run.output.note(`While nobody listened, ${many} came: first these, then what comes now. Ctrl-C ends it.`);
}

/** Hands over the deliveries of one read, and says how many have ended; stops early where the rest must be read anew. */
async function handOver(listening: Listening, deliveries: readonly Delivery[]): Promise<number> {
  const { run, acknowledgements, count } = listening;
  const readAtMs = run.world.now();
  let ended = 0;
  for (const delivery of deliveries.slice(0, count)) {
    const answer = await untilAccepted(listening, { delivery, readAtMs });
    if (answer === 'stale') break;
    await acknowledgements.add(delivery, answer);
    ended++;
  }
  return ended;
}

async function untilAccepted(
  listening: Listening,
  { delivery, readAtMs }: { readonly delivery: Delivery; readonly readAtMs: number },
): Promise<LocalAnswer | 'stale'> {
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
    // What has been accepted must not wait for the local program to come back.
    await acknowledgements.flush();
    if (failures === 1)
      output.note(`  kept, and tried again in ${seconds(pauseMs)}; --skip-failed would go on with the next`);
    await pause(pauseMs, world);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

/** Ctrl-C has ended every request of this command; what was accepted is still told, or it would come again. */
async function sayLastWords({ run, acknowledgements }: Listening): Promise<void> {
  try {
    await acknowledgements.flush(await run.clientAfterInterrupt(LAST_WORDS_MS));
  } catch (error) {
    run.output.warn(
      `What was accepted last could not be acknowledged, and will come again: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
