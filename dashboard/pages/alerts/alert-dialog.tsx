import { useState } from 'preact/hooks';
import { alertKinds } from '../../../contract/alerts/kinds.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { type Action, useAction } from '../../kit/calls/use-action.ts';
import { CopyableId } from '../../kit/copyable.tsx';
import { DescriptionList } from '../../kit/description-list.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { SelectField } from '../../kit/forms/field.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { toast } from '../../kit/toast.tsx';
import { organizationPath, workspacePath } from '../../routes/paths.ts';
import { api } from '../../session/api.ts';
import { type Alert, severityTones, statusOf, subjectPage } from './alert-status.ts';

interface AlertDialogProps {
  readonly alert: Alert;
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}

const durations = [
  ['1', '1 hour'],
  ['12', '12 hours'],
  ['168', '7 days'],
  ['720', '30 days'],
] as const;

export function AlertDialog({ alert, onChanged, onClose }: AlertDialogProps) {
  const action = useAction(async (act: () => Promise<unknown>, message: string) => {
    await act();
    toast(message);
    await onChanged();
    onClose();
  });
  return (
    <Dialog title={alert.title} isWide onClose={onClose}>
      <p>{alert.description}</p>
      <DescriptionList items={itemsOf(alert)} />
      <ErrorBox error={action.error} />
      {alert.status === 'open' && <AlertActions alert={alert} action={action} />}
    </Dialog>
  );
}

function itemsOf(alert: Alert) {
  const { organizationId, workspaceId, subject } = alert;
  const page = subjectPage(alert);
  const path =
    page !== undefined &&
    (workspaceId === null ? organizationPath(organizationId, page) : workspacePath(organizationId, workspaceId, page));
  return [
    ['Subject', path ? <a href={path}>{subject.label}</a> : subject.label],
    ['Severity', <Badge tone={severityTones[alert.severity]}>{alert.severity}</Badge>],
    ['Status', statusOf(alert)],
    ['Kind', <code>{alert.kind}</code>],
    ['Ends', alertKinds[alert.kind].resolved],
    ['ID', <CopyableId id={alert.alertId} what="alert ID" />],
    ['Opened', <RelativeTime at={alert.openedAt} />],
    ['Last seen', <RelativeTime at={alert.lastSeenAt} />],
    ...(alert.acknowledgedBy === null ? [] : [['Acknowledged by', <code>{alert.acknowledgedBy}</code>] as const]),
    ...(alert.mutedUntil === null ? [] : [['Muted until', <RelativeTime at={alert.mutedUntil} />] as const]),
    ...(alert.resolvedAt === null ? [] : [['Resolved', <RelativeTime at={alert.resolvedAt} />] as const]),
  ] as const;
}

interface AlertActionsProps {
  readonly alert: Alert;
  readonly action: Action<[act: () => Promise<unknown>, message: string]>;
}

function AlertActions({ alert, action }: AlertActionsProps) {
  const [hours, setHours] = useState<string>('12');
  const at = { params: { path: { alr: alert.alertId } } };
  const mute = () => {
    const until = new Date(Date.now() + Number(hours) * 3_600_000).toISOString();
    return api.post('/alerts/{alr}/mute', { ...at, body: { until } });
  };
  return (
    <>
      {alert.mutedUntil === null && (
        <SelectField label="Mute for" value={hours} options={durations} onValue={setHours} />
      )}
      <div class="form-actions">
        {alert.acknowledgedAt === null && (
          <Button
            tone="primary"
            busy={action.isBusy}
            onClick={() => void action.run(() => api.post('/alerts/{alr}/acknowledge', at), 'Alert acknowledged.')}
          >
            Acknowledge
          </Button>
        )}
        {alert.mutedUntil === null ? (
          <Button busy={action.isBusy} onClick={() => void action.run(mute, 'Alert muted.')}>
            Mute
          </Button>
        ) : (
          <Button
            busy={action.isBusy}
            onClick={() => void action.run(() => api.post('/alerts/{alr}/unmute', at), 'Alert unmuted.')}
          >
            Unmute
          </Button>
        )}
      </div>
    </>
  );
}
