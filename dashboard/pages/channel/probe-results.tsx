import { ApiError } from '../../../client/errors.ts';
import { Badge } from '../../kit/badge.tsx';
import type { Tone } from '../../kit/tone.ts';
import { ErrorBox } from '../../kit/error-box.tsx';
import { type ProbeFailure, probeFailureOf, type ProbeName, type ProbeState, probeStates } from './probe-outcome.ts';

const probes: readonly (readonly [name: ProbeName, words: string])[] = [
  ['GET', 'GET that must give the verify token back'],
  ['POST', 'Empty POST that must be answered with 2xx'],
];
const tones: Readonly<Record<ProbeState, Tone>> = { passed: 'good', failed: 'bad', 'not sent': 'neutral' };

/** What came of the two probes of a save: both passed, or which failed and on what. */
export function ProbeResults({ error, isSaved }: { readonly error: Error | null; readonly isSaved: boolean }) {
  if (isSaved) return <ProbeList states={{ GET: 'passed', POST: 'passed' }} failure={null} />;
  const isVerification = error instanceof ApiError && error.code === 'WEBHOOK_URL_VERIFICATION_FAILED';
  const failure = isVerification ? probeFailureOf(error.message) : null;
  if (!failure) return <ErrorBox error={error} />;
  return <ProbeList states={probeStates(failure.probe)} failure={failure} />;
}

interface ProbeListProps {
  readonly states: Readonly<Record<ProbeName, ProbeState>>;
  readonly failure: ProbeFailure | null;
}

function ProbeList({ states, failure }: ProbeListProps) {
  return (
    <div class="probes" role="status">
      <p>
        <strong>{failure ? 'Nothing was saved: the URL did not pass.' : 'Saved: the URL passed both probes.'}</strong>
      </p>
      <ol>
        {probes.map(([name, words]) => (
          <li key={name}>
            <Badge tone={tones[states[name]]}>{states[name]}</Badge> {words}
            {failure?.probe === name && (
              <dl>
                <dt>Expected</dt>
                <dd>{failure.expected}</dd>
                <dt>Came back</dt>
                <dd>{failure.found}</dd>
              </dl>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
