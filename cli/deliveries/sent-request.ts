import { hash } from 'node:crypto';
import { sentText } from '../../contract/deliveries/sent-text.ts';
import type { ApiClient, Schema } from '../../client/create-client.ts';
import { ApiError } from '../../client/errors.ts';
import { CliError, exitCodes } from '../terminal/failures.ts';
import type { Run } from '../commands/run.ts';

export interface SentRequestOptions {
  /** Optional. Default: the last attempt. */
  readonly attempt?: number | undefined;
  /** Optional. The channel, if the delivery is a test event. */
  readonly testOf?: string | undefined;
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
  if (request) return { request, payload: await bodyOf(client, { request, own: { deliveryId: wd, payload } }) };
  const which = attempt === undefined ? 'No request' : `No request of attempt ${attempt}`;
  throw new CliError(`${which} of ${wd} is recorded.`, { exitCode: exitCodes.failure });
}

interface RecordedBody {
  readonly request: Schema<'SentRequest'>;
  readonly own: { readonly deliveryId: string; readonly payload: string };
}

async function bodyOf(client: ApiClient, { request, own }: RecordedBody): Promise<string> {
  const payloadOf = async (wd: string): Promise<string | null> => {
    try {
      return (await client.get('/deliveries/{wd}', at(wd))).payload;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'DELIVERY_NOT_FOUND') return null;
      throw error;
    }
  };
  const body = await sentText(request, own, { payloadOf, sha256Hex });
  if (body !== null) return body;
  throw new CliError('An event of this request is no longer stored as it was sent.', { exitCode: exitCodes.failure });
}

const sha256Hex = (text: string): Promise<string> => Promise.resolve(hash('sha256', text, 'hex'));

const at = (wd: string) => ({ params: { path: { wd } } });
