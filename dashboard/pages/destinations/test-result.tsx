import type { Schema } from '../../../client/create-client.ts';
import { JsonView } from '../../kit/json-view.tsx';
import { AttemptResponse } from '../deliveries/attempt-response.tsx';

export function TestResult({ result }: { readonly result: Schema<'DestinationTest'> }) {
  return (
    <div class="side-by-side" role="group" aria-label="Test result">
      <section>
        <h3>Sent to {result.url}</h3>
        <JsonView text={result.payload} what="sample event" />
      </section>
      <section>
        <h3>Response</h3>
        <AttemptResponse attempt={result.attempt} />
      </section>
    </div>
  );
}
