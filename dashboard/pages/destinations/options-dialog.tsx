import { useState } from 'preact/hooks';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { CheckboxGroup } from '../../kit/forms/checkbox-group.tsx';
import { SelectField, TextField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { TextArea } from '../../kit/forms/text-area.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { api } from '../../session/api.ts';
import { changesAuthentication, type OptionsForm, optionsChange, optionsFormOf } from './options-form.ts';
import type { DestinationHealth } from './use-destinations.ts';

interface OptionsDialogProps {
  readonly channelId: string;
  readonly destination: DestinationHealth;
  readonly onSaved: () => Promise<unknown>;
  readonly onClose: () => void;
}

export function OptionsDialog({ channelId: ch, destination, onSaved, onClose }: OptionsDialogProps) {
  const [form, setForm] = useState(() => optionsFormOf(destination));
  const set = (change: Partial<OptionsForm>) => setForm({ ...form, ...change });
  const action = useAction(async () => {
    const body = { destination: destination.subscriptionId ?? 'webhook', ...optionsChange(form, destination) };
    await api.patch('/channels/{ch}/destinations', { params: { path: { ch } }, body });
    await onSaved();
    toast('Options saved.');
    onClose();
  });
  return (
    <Dialog title="Destination options" onClose={onClose}>
      <Form action={action} submit="Save" onCancel={onClose}>
        <p class="prose">
          For <code>{destination.url}</code>. Values of headers, passwords and tokens are stored encrypted and never
          shown again. They are removed when the URL moves to another origin.
        </p>
        <HeaderFields form={form} set={set} destination={destination} />
        <AuthenticationFields form={form} set={set} destination={destination} />
        <PaceFields form={form} set={set} destination={destination} />
        <ScheduleFields form={form} set={set} destination={destination} />
        <DebounceFields form={form} set={set} destination={destination} />
      </Form>
    </Dialog>
  );
}

interface FieldsProps {
  readonly form: OptionsForm;
  readonly set: (change: Partial<OptionsForm>) => void;
  readonly destination: DestinationHealth;
}

function HeaderFields({ form, set, destination: { headers } }: FieldsProps) {
  return (
    <>
      {headers.length > 0 && (
        <CheckboxGroup
          legend="Remove headers"
          options={headers.map((name) => [name, name])}
          values={form.removedHeaders}
          onValues={(removedHeaders) => set({ removedHeaders })}
        />
      )}
      <TextArea
        label="Add or replace headers"
        hint={
          <>
            One <code>Name: value</code> per line, for example the API key of your gateway.
          </>
        }
        rows={3}
        value={form.newHeaders}
        onValue={(newHeaders) => set({ newHeaders })}
      />
    </>
  );
}

function AuthenticationFields({ form, set, destination }: FieldsProps) {
  const { authentication, username, secret } = form;
  const isKept = !changesAuthentication(form, destination);
  return (
    <>
      <SelectField
        label="Authentication"
        value={authentication}
        options={[
          ['none', 'none'],
          ['basic', 'user name and password (basic)'],
          ['bearer', 'token (bearer)'],
        ]}
        onValue={(chosen) => set({ authentication: chosen, secret: '' })}
      />
      {authentication === 'basic' && (
        <TextField
          label="User name"
          required
          value={username}
          autoComplete="off"
          onValue={(name) => set({ username: name })}
        />
      )}
      {authentication !== 'none' && (
        <TextField
          label={authentication === 'basic' ? 'Password' : 'Token'}
          hint={isKept ? 'Leave empty to keep the present one.' : undefined}
          required={!isKept}
          type="password"
          autoComplete="new-password"
          value={secret}
          onValue={(text) => set({ secret: text })}
        />
      )}
    </>
  );
}

function PaceFields({ form, set }: FieldsProps) {
  const number = { type: 'number', min: '1', step: '1', placeholder: 'default' } as const;
  return (
    <div class="fields-in-rows">
      <TextField
        {...number}
        max="30"
        label="Time-out in seconds"
        value={form.timeoutSeconds}
        onValue={(timeoutSeconds) => set({ timeoutSeconds })}
      />
      <TextField
        {...number}
        max="1000"
        label="Requests per second"
        value={form.requestsPerSecond}
        onValue={(requestsPerSecond) => set({ requestsPerSecond })}
      />
      <TextField
        {...number}
        max="100"
        label="Requests at a time"
        value={form.concurrency}
        onValue={(concurrency) => set({ concurrency })}
      />
    </div>
  );
}

function DebounceFields({ form, set }: FieldsProps) {
  const number = { type: 'number', step: '1' } as const;
  return (
    <>
      <div class="fields-in-rows">
        <TextField
          {...number}
          min="1"
          max="60"
          label="Gather events for (seconds)"
          placeholder="off"
          value={form.debounceSeconds}
          onValue={(debounceSeconds) => set({ debounceSeconds })}
        />
        <TextField
          {...number}
          min="2"
          max="100"
          label="Or until there are"
          placeholder="100 events"
          value={form.debounceEvents}
          onValue={(debounceEvents) => set({ debounceEvents })}
        />
      </div>
      <p class="prose">
        Gathered events of a conversation arrive as a JSON array in one request. Your receiver must be ready for it
        before you save.
      </p>
    </>
  );
}

function ScheduleFields({ form, set }: FieldsProps) {
  return (
    <>
      <SelectField
        label="Retries"
        value={form.schedule}
        options={[
          ['default', 'default'],
          ['fast', 'fast: eight in 19 minutes'],
          ['patient', 'patient: twelve in five days'],
          ['own', 'own steps'],
        ]}
        onValue={(schedule) => set({ schedule })}
      />
      {form.schedule === 'own' && (
        <TextField
          label="Seconds before each retry"
          hint="Up to 20 steps of a day at most, and seven days in all."
          required
          pattern="[\d\s,]+"
          placeholder="5, 30, 300"
          value={form.steps}
          onValue={(steps) => set({ steps })}
        />
      )}
    </>
  );
}
