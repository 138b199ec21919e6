import type { ApiClient } from '../../../../client/create-client.ts';
import { eventCountHeader } from '../../../../contract/deliveries/batch.ts';
import { curlCommand } from '../../../../contract/deliveries/curl-command.ts';
import { loadSentText, type SentDelivery } from './load-sent-text.ts';

/** Returns the recorded request with its signatures. The body of an array is read when the command is needed. */
export function requestCurl(api: Pick<ApiClient, 'get'>, sent: SentDelivery): string | (() => Promise<string>) {
  const { request, payload } = sent;
  if (request.headers[eventCountHeader] === undefined) return curlCommand({ ...request, payload });
  return async () => {
    const body = await loadSentText(api, sent);
    if (body === null) throw new Error('Not copied: an event of this request is no longer stored as it was sent.');
    return curlCommand({ ...request, payload: body });
  };
}
