import type { ComponentChildren } from 'preact';
import type { Schema } from '../../../client/create-client.ts';
import { Badge } from '../../kit/badge.tsx';
import { useLoad } from '../../kit/calls/use-load.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { organizationPath, workspacePath } from '../../routes/paths.ts';
import { api } from '../../session/api.ts';
import { severityTones } from '../alerts/alert-status.ts';

type Alert = Schema<'Alert'>;

interface OpenAlertsProps {
  readonly organizationId: string;
  readonly workspaceId: string | undefined;
  /** Gets the items of a list. */
  readonly children: (items: readonly ComponentChildren[]) => ComponentChildren;
}

const SHOWN = 20;
/** The list of troubled destinations says more about these. */
const isAboutDestination = ({ kind }: Alert): boolean =>
  kind.startsWith('destination.') || kind === 'deliveries.notSettling';

export function OpenAlerts({ organizationId: org, workspaceId, children }: OpenAlertsProps) {
  const { value } = useLoad(() => {
    const query = { status: 'open' as const, limit: SHOWN, ...(workspaceId !== undefined && { workspaceId }) };
    return api.get('/organizations/{org}/alerts', { params: { path: { org }, query } });
  }, [org, workspaceId]);
  const alerts = value?.alerts.filter((alert) => !isAboutDestination(alert)) ?? [];
  return <>{children(alerts.map((alert) => <AlertItem key={alert.alertId} org={org} alert={alert} />))}</>;
}

function AlertItem({ org, alert }: { readonly org: string; readonly alert: Alert }) {
  return (
    <li class="trouble">
      <div>
        <p>
          <Badge tone={severityTones[alert.severity]}>{alert.title}</Badge>{' '}
          <span class="soft">
            <RelativeTime at={alert.openedAt} />
          </span>
        </p>
        <p class="soft failure">{alert.description}</p>
      </div>
      <div class="actions">
        <HelpLink org={org} alert={alert} />
      </div>
    </li>
  );
}

function HelpLink({ org, alert: { kind, workspaceId } }: { readonly org: string; readonly alert: Alert }) {
  const needsConnection = ['channel.disconnected', 'credential.refused', 'credential.expiring'].includes(kind);
  const [href, label] = needsConnection
    ? [organizationPath(org, 'onboarding'), 'Connect again']
    : [
        workspaceId === null ? organizationPath(org, 'alerts') : workspacePath(org, workspaceId, 'alerts'),
        'Open alert',
      ];
  return (
    <a class="button plain small" href={href}>
      {label}
    </a>
  );
}
