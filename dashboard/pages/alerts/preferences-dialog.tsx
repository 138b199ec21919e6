import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { type AlertKind, alertKindNames, alertKinds, type AlertSeverity } from '../../../contract/alerts/kinds.ts';
import { useAction } from '../../kit/calls/use-action.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { CheckboxGroup } from '../../kit/forms/checkbox-group.tsx';
import { SelectField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { Loading } from '../../kit/lists/list.tsx';
import { toast } from '../../kit/toast.tsx';
import { api } from '../../session/api.ts';

type Rule = Schema<'AlertRule'>;

interface PreferencesProps {
  readonly organizationId: string;
  /** Null for the rule about all workspaces. */
  readonly workspaceId: string | null;
  readonly place: string;
  readonly onClose: () => void;
}

/** Edits the person's one rule for this place, and keeps the rules for others. */
export function PreferencesDialog({ organizationId: org, workspaceId, place, onClose }: PreferencesProps) {
  const params = { path: { org } };
  const loaded = useLoad(() => api.get('/organizations/{org}/alert-preferences', { params }), [org]);
  return (
    <Dialog title={`Alerts of ${place} by email`} isWide onClose={onClose}>
      <ErrorBox error={loaded.error} onRetry={() => void loaded.reload()} />
      {!loaded.value && !loaded.error && <Loading />}
      {loaded.value && (
        <PreferencesForm
          rules={loaded.value.rules}
          workspaceId={workspaceId}
          onSave={async (rules) => {
            await api.put('/organizations/{org}/alert-preferences', { params, body: { rules } });
            toast('Preferences saved.');
            onClose();
          }}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface FormProps extends Pick<PreferencesProps, 'workspaceId' | 'onClose'> {
  readonly rules: readonly Rule[];
  readonly onSave: (rules: Rule[]) => Promise<void>;
}

type Choice = AlertSeverity | 'none';

function PreferencesForm({ rules, workspaceId, onSave, onClose }: FormProps) {
  const rule = rules.find((one) => one.workspaceId === workspaceId);
  const [choice, setChoice] = useState<Choice>(rule?.minSeverity ?? 'none');
  const [kinds, setKinds] = useState<readonly AlertKind[]>(rule?.kinds ?? alertKindNames);
  const saving = useAction(async () => {
    const others = rules.filter((one) => one.workspaceId !== workspaceId);
    if (choice === 'none' || kinds.length === 0) return await onSave(others);
    const isAll = kinds.length === alertKindNames.length;
    await onSave([...others, { workspaceId, minSeverity: choice, kinds: isAll ? null : [...kinds] }]);
  });
  return (
    <Form submit="Save" action={saving} onCancel={onClose}>
      <SelectField<Choice>
        label="Email me"
        value={choice}
        options={[
          ['none', 'No alerts'],
          ['critical', 'Critical alerts'],
          ['warning', 'All alerts'],
        ]}
        onValue={setChoice}
      />
      {choice !== 'none' && (
        <CheckboxGroup
          legend="Kinds"
          options={alertKindNames.map((kind) => [kind, alertKinds[kind].title] as const)}
          values={kinds}
          onValues={setKinds}
        />
      )}
      <p class="hint">
        One email lists all alerts of some minutes, and one more says that they are over.
        {workspaceId !== null && ' Rules that you set for the whole organization apply as well.'}
      </p>
    </Form>
  );
}
