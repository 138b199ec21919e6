import { Badge } from '../../kit/badge.tsx';
import { durationText } from '../../kit/texts/duration-text.ts';
import { JsonView } from '../../kit/json-view.tsx';
import { type Attempt, headerLines, outcomeText, outcomeTones } from './attempt-words.ts';

/** What a receiver answered. All of it was written by strangers: it is shown as text, and never as anything else. */
export function AttemptAnswer({ attempt }: { readonly attempt: Attempt }) {
  const { outcome, durationMs, responseHeaders, responseBody } = attempt;
  const headers = headerLines(responseHeaders);
  return (
    <div class="answer">
      <p>
        <Badge tone={outcomeTones[outcome]}>{outcomeText(attempt)}</Badge>{' '}
        <span class="soft">after {durationText(durationMs)}</span>
      </p>
      {responseBody === null || responseBody === '' ? (
        <p class="soft">
          {outcome === 'no_response' || outcome === 'blocked' ? 'Nothing came back.' : 'An empty body.'}
        </p>
      ) : (
        <JsonView text={responseBody} what="the answer" />
      )}
      {headers.length > 0 && (
        <details>
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
