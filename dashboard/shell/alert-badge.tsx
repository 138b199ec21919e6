import { useEffect } from 'preact/hooks';
import { Badge } from '../kit/badge.tsx';
import { useRefresh } from '../kit/calls/use-refresh.ts';
import { path } from '../routes/router.ts';
import { alertCounts, loadAlertCount } from '../session/alert-counts.ts';

const REFRESH_MS = 60_000;
/** The API counts at most 1,000 alerts of each severity. */
const MAX_SHOWN = 999;

interface AlertBadgeProps {
  readonly organizationId: string;
  readonly workspaceId?: string | undefined;
}

export function AlertBadge({ organizationId, workspaceId }: AlertBadgeProps) {
  const load = (): void => void loadAlertCount(organizationId, workspaceId);
  useEffect(load, [organizationId, workspaceId, path.value]);
  useRefresh(load, REFRESH_MS);
  const count = alertCounts.value.get(workspaceId ?? organizationId) ?? 0;
  if (count === 0) return null;
  return (
    <>
      {' '}
      <Badge tone="bad">
        {count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}
        <span class="hidden"> open</span>
      </Badge>
    </>
  );
}
