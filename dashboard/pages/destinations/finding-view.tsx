import { Badge } from '../../kit/parts.tsx';
import type { Finding } from './health-findings.ts';

interface FindingProps {
  readonly finding: Finding;
}

export function FindingView({ finding: { tone, title, detail } }: FindingProps) {
  return (
    <div class="finding">
      <Badge tone={tone}>{title}</Badge>
      <span class="finding-detail">{detail}</span>
    </div>
  );
}

/** The badge and one figure, for tables. */
export function FindingBadge({ finding: { tone, title, figure, detail, subject } }: FindingProps) {
  return (
    <div class="finding" title={detail}>
      <Badge tone={tone}>{title}</Badge>
      {subject !== undefined && <span class="finding-detail">{figure === null ? subject : `${subject}: `}</span>}
      {figure !== null && <span class="finding-detail nowrap">{figure}</span>}
    </div>
  );
}
