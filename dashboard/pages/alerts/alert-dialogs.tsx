import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { type AlertKind, alertKindNames, alertKinds, type AlertSeverity } from '../../../contract/alerts/kinds.ts';
import { subjectPage } from '../../../contract/alerts/subject-page.ts';
import { useAction, useLoad } from '../../kit/calls.ts';
import { Dialog } from '../../kit/dialogs.tsx';
import { CheckboxGroup, Form, SelectField, useFields } from '../../kit/forms.tsx';
import { Badge, Button, CopyableId, DescriptionList, ErrorBox, RelativeTime, WhenLoaded } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { placePath } from '../../routes/paths.ts';
import { api } from '../../session/api.ts';
import { type Alert, severityTones, statusOf } from './alert-status.ts';

interface AlertDialogProps {
  readonly alert: Alert;
  readonly onClose: () => void;
}

export function AlertDialog({ alert, onClose }: AlertDialogProps) {
  const { organizationId, workspaceId, channelId, subject, acknowledgedBy, mutedUntil, resolvedAt } = alert;
  const page = subjectPage({ ...subject, channelId });
  // The label of a container is its channel.
  const label = subject.type === 'container' && subject.id !== null ? `${subject.label}, ${subject.id}` : subject.label;
  const path = page !== undefined && placePath(organizationId, workspaceId, page);
  return (
    <Dialog title={alert.title} isWide onClose={onClose}>
      <p>{alert.description}</p>
      <DescriptionList
        items={[
          ['Subject', path ? <a href={path}>{label}</a> : label],
          ['Severity', <Badge tone={severityTones[alert.severity]}>{alert.severity}</Badge>],
          ['Status', statusOf(alert)],
          ['Kind', <code>{alert.kind}</code>],
          ['Ends', alertKinds[alert.kind].resolved],
          ['ID', <CopyableId id={alert.alertId} what="alert ID" />],
          ['Opened', <RelativeTime at={alert.openedAt} />],
          ['Last seen', <RelativeTime at={alert.lastSeenAt} />],
          acknowledgedBy !== null && ['Acknowledged by', <code>{acknowledgedBy}</code>],
          mutedUntil !== null && ['Muted until', <RelativeTime at={mutedUntil} />],
          resolvedAt !== null && ['Resolved', <RelativeTime at={resolvedAt} />],
        ]}
      />
      {alert.status === 'open' && <AlertActions alert={alert} onClose={onClose} />}
    </Dialog>
  );
}

const durations = [
  ['1', '1 hour'],
  ['12', '12 hours'],
  ['168', '7 days'],
  ['720', '30 days'],
] as const;

interface Change {
  readonly act: () => Promise<unknown>;
  readonly done: string;
}

function AlertActions({ alert, onClose }: AlertDialogProps) {
  const [hours, setHours] = useState<string>('12');
  const at = { params: { path: { alr: alert.alertId } } };
  const action = useAction(async ({ act, done }: Change) => {
    await act();
    toast(done);
  }, onClose);
  const mute = () => {
    const until = new Date(Date.now() + Number(hours) * 3_600_000).toISOString();
    return api.post('/alerts/{alr}/mute', { ...at, body: { until } });
  };
  const button = (words: string, change: Change, tone?: 'primary') => (
    <Button tone={tone} busy={action.isBusy} onClick={() => action.run(change)}>
      {words}
    </Button>
  );
  const acknowledge = { act: () => api.post('/alerts/{alr}/acknowledge', at), done: 'Alert acknowledged.' };
  const unmute = { act: () => api.post('/alerts/{alr}/unmute', at), done: 'Alert unmuted.' };
  const isMuted = alert.mutedUntil !== null;
  return (
    <>
      <ErrorBox error={action.error} />
      {!isMuted && <SelectField label="Mute for" value={hours} options={durations} onValue={setHours} />}
      <div class="form-actions">
        {alert.acknowledgedAt === null && button('Acknowledge', acknowledge, 'primary')}
        {isMuted ? button('Unmute', unmute) : button('Mute', { act: mute, done: 'Alert muted.' })}
      </div>
    </>
  );
}

type Rule = Schema<'AlertRule'>;

interface PreferencesProps {
  readonly organizationId: string;
  /** Null for the rule about all workspaces. */
  readonly workspaceId: string | null;
  readonly place: string;
  readonly onClose: () => void;
}

export function PreferencesDialog({ organizationId: org, workspaceId, place, onClose }: PreferencesProps) {
  const params = { path: { org } };
  const load = () => api.get('/organizations/{org}/alert-preferences', { params });
  const loaded = useLoad(['alert-preferences', org], load, { isOnce: true });
  return (
    <Dialog title={`Alerts of ${place} by email`} isWide onClose={onClose}>
      <WhenLoaded of={loaded}>
        {({ rules }) => (
          <PreferencesForm
            rules={rules}
            workspaceId={workspaceId}
            onSave={async (changed) => {
              await api.put('/organizations/{org}/alert-preferences', { params, body: { rules: changed } });
              toast('Preferences saved.');
            }}
            onClose={onClose}
          />
        )}
      </WhenLoaded>
    </Dialog>
  );
}

interface FormProps extends Pick<PreferencesProps, 'workspaceId' | 'onClose'> {
  readonly rules: readonly Rule[];
  readonly onSave: (rules: Rule[]) => Promise<void>;
}

export const kindOptions = alertKindNames.map((kind) => [kind, alertKinds[kind].title] as const);
/** Null stands for all kinds. */
export const kindsOf = (chosen: readonly AlertKind[]): AlertKind[] | null =>
  chosen.length === alertKindNames.length ? null : [...chosen];

/** Edits the person's one rule for this place, and keeps the rules for others. */
function PreferencesForm({ rules, workspaceId, onSave, onClose }: FormProps) {
  const rule = rules.find((one) => one.workspaceId === workspaceId);
  const { fields, bind } = useFields<{ choice: AlertSeverity | 'none'; kinds: readonly AlertKind[] }>({
    choice: rule?.minSeverity ?? 'none',
    kinds: rule?.kinds ?? alertKindNames,
  });
  const { choice, kinds } = fields;
  const save = async () => {
    const others = rules.filter((one) => one.workspaceId !== workspaceId);
    if (choice === 'none' || kinds.length === 0) return await onSave(others);
    await onSave([...others, { workspaceId, minSeverity: choice, kinds: kindsOf(kinds) }]);
  };
  return (
    <Form submit="Save" act={save} onDone={onClose} onCancel={onClose}>
      <SelectField
        label="Email me"
        options={[
          ['none', 'No alerts'],
          ['critical', 'Critical alerts'],
          ['warning', 'All alerts'],
        ]}
        {...bind('choice')}
      />
      {choice !== 'none' && <CheckboxGroup legend="Kinds" options={kindOptions} {...bind('kinds')} />}
      <p class="hint">
        One email lists all alerts of some minutes, and one more says that they are over.
        {workspaceId !== null && ' Rules that you set for the whole organization apply as well.'}
      </p>
    </Form>
  );
}
