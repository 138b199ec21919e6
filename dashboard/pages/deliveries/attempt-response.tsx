import { formatDuration } from '../../kit/format/format.ts';
import { JsonView } from '../../kit/json-view.tsx';
import { Badge } from '../../kit/parts.tsx';
import { type Attempt, describeOutcome, headerLines, outcomeTones } from './timeline.ts';

/** Shows the response as plain text, because it comes from an untrusted server. */
export function AttemptResponse({ attempt }: { readonly attempt: Attempt }) {
  const { outcome, durationMs, responseHeaders, responseBody } = attempt;
  const headers = headerLines(responseHeaders);
  return (
    <div class="answer">
      <p>
        <Badge tone={outcomeTones[outcome]}>{describeOutcome(attempt)}</Badge>{' '}
        <span class="soft">after {formatDuration(durationMs)}</span>
      </p>
      {responseBody === null || responseBody === '' ? (
        <p class="soft">
          {outcome === 'no_response' || outcome === 'blocked' ? 'No response received.' : 'Empty body.'}
        </p>
      ) : (
        <JsonView text={responseBody} what="response" />
      )}
      {headers.length > 0 && (
        <details open>
          <summary>
            {headers.length} {headers.length === 1 ? 'header' : 'headers'}
          </summary>
          <dl class="headers">
            {headers.map(([name, value], index) => (
              <div key={index}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </div>
  );
}
