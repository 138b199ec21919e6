import type { Schema } from '../../../client/create-client.ts';
import { Badge, ErrorBox } from '../../kit/parts.tsx';
import { presentProbe, type Probe } from './probe-outcome.ts';

const probeLabels: Readonly<Record<Probe['probe'], string>> = {
  GET: 'GET request: must return the verify token',
  POST: 'Empty POST request: must return 2xx',
};

interface ProbeResultsProps {
  readonly error: Error | null;
  /** Null unless the save was decided by its probes. */
  readonly verification: Schema<'WebhookVerification'> | null;
}

export function ProbeResults({ error, verification }: ProbeResultsProps) {
  if (!verification || verification.probes.length === 0) return <ErrorBox error={error} />;
  const title = verification.ok ? 'Saved. The URL passed both probes.' : 'Not saved. The URL failed a probe.';
  return <ProbeList probes={verification.probes} title={title} />;
}

function ProbeList({ probes, title }: { readonly probes: readonly Probe[]; readonly title: string }) {
  return (
    <div class="probes" role="status">
      <p>
        <strong>{title}</strong>
      </p>
      <ol>
        {probes.map(presentProbe).map(({ probe, tone, answer, fault, ...presented }) => (
          <li key={probe}>
            <Badge tone={tone}>{presented.label}</Badge> {probeLabels[probe]}
            {answer !== '' && <span class="soft"> · {answer}</span>}
            {fault && (
              <dl>
                <dt>Expected</dt>
                <dd>{fault.expected}</dd>
                <dt>Received</dt>
                <dd>{fault.found}</dd>
              </dl>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
