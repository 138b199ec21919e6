import type { Schema } from '../../../client/create-client.ts';
import { JsonView } from '../../kit/json-view.tsx';
import { AttemptAnswer } from '../deliveries/attempt-answer.tsx';

/** What was sent for a test, and what the receiver answered, side by side. */
export function TestResult({ result }: { readonly result: Schema<'DestinationTest'> }) {
  return (
    <div class="side-by-side" role="group" aria-label="The test">
      <section>
        <h3>Sent to {result.url}</h3>
        <JsonView text={result.payload} what="the sample event" />
      </section>
      <section>
        <h3>Answered</h3>
        <AttemptAnswer attempt={result.attempt} />
      </section>
    </div>
  );
}
