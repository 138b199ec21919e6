import { hash } from 'node:crypto';
import { batchText } from '../../contract/deliveries/batch.ts';
import type { Schema } from '../../client/create-client.ts';
import { CliError, exitCodes } from '../terminal/failures.ts';
import type { Run } from '../commands/run.ts';

export interface SentRequestOptions {
  /** Optional. Default: the last attempt. */
  readonly attempt?: number;
  /** Optional. The channel, if the delivery is a test event. */
  readonly testOf?: string;
}

export interface SentRequest {
  readonly request: Schema<'SentRequest'>;
  readonly payload: string;
}

export async function readSentRequest(
  { inWorkspace }: Pick<Run, 'inWorkspace'>,
  wd: string,
  { attempt, testOf }: SentRequestOptions,
): Promise<SentRequest> {
  const client = await inWorkspace();
  const test = { params: { path: { ch: testOf ?? '', wd } } };
  const [{ payload }, { requests }] = await (testOf === undefined
    ? Promise.all([client.get('/deliveries/{wd}', at(wd)), client.get('/deliveries/{wd}/requests', at(wd))])
    : Promise.all([
        client.get('/channels/{ch}/test-events/{wd}', test),
        client.get('/channels/{ch}/test-events/{wd}/requests', test),
      ]));
  const request = requests.findLast((each) => each.attempt === (attempt ?? each.attempt));
  if (request) return { request, payload: await bodyOf(client, { wd, request, payload }) };
  const which = attempt === undefined ? 'No request' : `No request of attempt ${attempt}`;
  throw new CliError(`${which} of ${wd} is recorded.`, { exitCode: exitCodes.failure });
}

interface OwnPayload extends SentRequest {
  readonly wd: string;
}

/** Reads the other events of an array and checks that the body is the one that was sent. */
async function bodyOf(
  client: Awaited<ReturnType<Run['inWorkspace']>>,
  { wd, request: { events, bodySha256 }, payload }: OwnPayload,
): Promise<string> {
  if (!events) return payload;
  const items = [];
  for (const event of events) {
    const { deliveryId } = event;
    const own = deliveryId === wd ? payload : (await client.get('/deliveries/{wd}', at(deliveryId))).payload;
    items.push({ ...event, payload: own });
  }
  const body = batchText(items);
  if (hash('sha256', body, 'hex') === bodySha256) return body;
  throw new CliError('An event of this request is no longer stored as it was sent.', { exitCode: exitCodes.failure });
}

const at = (wd: string) => ({ params: { path: { wd } } });
