import { Badge } from '../../kit/parts.tsx';
import type { Finding } from './health-findings.ts';

export function FindingView({ finding: { tone, title, detail } }: { readonly finding: Finding }) {
  return (
    <div class="finding">
      <Badge tone={tone}>{title}</Badge>
      <span class="finding-detail">{detail}</span>
    </div>
  );
}
