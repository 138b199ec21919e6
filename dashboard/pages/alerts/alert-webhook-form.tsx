import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { type AlertKind, alertKindNames, alertKinds, type AlertSeverity } from '../../../contract/alerts/kinds.ts';
import { useAction } from '../../kit/calls/use-action.ts';
import { CheckboxGroup } from '../../kit/forms/checkbox-group.tsx';
import { Checkbox } from '../../kit/forms/checkbox.tsx';
import { SelectField, TextField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';

interface AlertWebhookFormProps {
  readonly webhook: Schema<'AlertWebhook'>;
  readonly onSave: (body: Schema<'AlertWebhookInput'>) => Promise<void>;
  readonly onClose: () => void;
}

export function AlertWebhookForm({ webhook, onSave, onClose }: AlertWebhookFormProps) {
  const [url, setUrl] = useState(webhook.url ?? '');
  const [minSeverity, setMinSeverity] = useState<AlertSeverity>(webhook.minSeverity);
  const [kinds, setKinds] = useState<readonly AlertKind[]>(webhook.kinds ?? alertKindNames);
  const [enabled, setEnabled] = useState(webhook.url === null || webhook.enabled);
  const saving = useAction(async () => {
    const isAll = kinds.length === alertKindNames.length;
    await onSave({ url: url.trim(), enabled, minSeverity, kinds: isAll ? null : [...kinds] });
  });
  return (
    <Form submit="Save" action={saving} disabled={kinds.length === 0} onCancel={onClose}>
      <TextField
        label="URL"
        type="url"
        value={url}
        onValue={setUrl}
        required
        placeholder="https://ops.example.com/alerts"
        spellcheck={false}
      />
      <SelectField<AlertSeverity>
        label="Send"
        value={minSeverity}
        options={[
          ['warning', 'All alerts'],
          ['critical', 'Critical alerts'],
        ]}
        onValue={setMinSeverity}
      />
      <CheckboxGroup
        legend="Kinds"
        options={alertKindNames.map((kind) => [kind, alertKinds[kind].title] as const)}
        values={kinds}
        onValues={setKinds}
      />
      <Checkbox label="Enabled" isChecked={enabled} onChecked={setEnabled} />
      <p class="hint">
        Muted alerts are left out. One call lists all alerts of some minutes, and one more says that they are over.
      </p>
    </Form>
  );
}
