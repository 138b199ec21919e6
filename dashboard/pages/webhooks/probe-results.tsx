import { ApiError } from '../../../client/errors.ts';
import { Badge } from '../../kit/badge.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { type Probe, shownProbe } from './probe-outcome.ts';

const words: Readonly<Record<Probe['probe'], string>> = {
  GET: 'GET that must give the verify token back',
  POST: 'Empty POST that must be answered with 2xx',
};

interface ProbeResultsProps {
  readonly error: Error | null;
  /** Of a save that has succeeded; null while there is none. */
  readonly passed: readonly Probe[] | null;
}

/** What came of the two probes of a save: both passed, or which failed and on what. */
export function ProbeResults({ error, passed }: ProbeResultsProps) {
  if (passed) return <ProbeList probes={passed} title="Saved: the URL passed both probes." />;
  const failed = error instanceof ApiError ? error.probes : null;
  if (!failed) return <ErrorBox error={error} />;
  return <ProbeList probes={failed} title="Nothing was saved: the URL did not pass." />;
}

function ProbeList({ probes, title }: { readonly probes: readonly Probe[]; readonly title: string }) {
  return (
    <div class="probes" role="status">
      <p>
        <strong>{title}</strong>
      </p>
      <ol>
        {probes.map(shownProbe).map(({ probe, tone, answer, fault, ...shown }) => (
          <li key={probe}>
            <Badge tone={tone}>{shown.words}</Badge> {words[probe]}
            {answer !== '' && <span class="soft"> · {answer}</span>}
            {fault && (
              <dl>
                <dt>Expected</dt>
                <dd>{fault.expected}</dd>
                <dt>Came back</dt>
                <dd>{fault.found}</dd>
              </dl>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
