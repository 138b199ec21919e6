import type { Schema } from '../../../client/create-client.ts';
import { CopyButton } from '../../kit/copy-button.tsx';
import { useLoad } from '../../kit/calls/use-load.ts';
import { JsonView } from '../../kit/json-view.tsx';
import { api } from '../../session/api.ts';
import { AttemptResponse } from '../deliveries/attempt-response.tsx';
import { requestCurl } from '../deliveries/requests/request-curl.ts';

/** Shows a test of now or of the past. */
export function TestResult({ result }: { readonly result: Schema<'DestinationTest'> | Schema<'TestEvent'> }) {
  const { channelId: ch, deliveryId: wd, payload } = result;
  const params = { path: { ch, wd } };
  const { value } = useLoad(() => api.get('/channels/{ch}/test-events/{wd}/requests', { params }), [wd]);
  const request = value?.requests[0];
  return (
    <div class="side-by-side" role="group" aria-label="Test result">
      <section>
        <h3>Sent to {result.url}</h3>
        <JsonView text={payload} what="sample event" />
        {request && (
          <CopyButton text={requestCurl(api, { ...result, request })} what="request as a curl command">
            Copy as curl
          </CopyButton>
        )}
      </section>
      <section>
        <h3>Response</h3>
        {result.attempt ? <AttemptResponse attempt={result.attempt} /> : <p class="soft">It was not sent.</p>}
      </section>
    </div>
  );
}
