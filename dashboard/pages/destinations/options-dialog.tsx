import { FormDialog } from '../../kit/dialogs.tsx';
import { Checkbox, CheckboxGroup, SelectField, TextArea, TextField, useFields } from '../../kit/forms.tsx';
import { toast } from '../../kit/toast.tsx';
import { api } from '../../session/api.ts';
import { changesAuthentication, optionsChange, optionsFormOf } from './options-form.ts';
import type { DestinationHealth } from './use-destinations.ts';

interface OptionsDialogProps {
  readonly channelId: string;
  readonly destination: DestinationHealth;
  readonly onClose: () => void;
}

export function OptionsDialog({ channelId: ch, destination, onClose }: OptionsDialogProps) {
  const form = useFields(() => optionsFormOf(destination));
  const save = async () => {
    const body = { destination: destination.subscriptionId ?? 'webhook', ...optionsChange(form.fields, destination) };
    await api.patch('/channels/{ch}/destinations', { params: { path: { ch } }, body });
    toast('Options saved.');
  };
  return (
    <FormDialog title="Destination options" submit="Save" act={save} onClose={onClose}>
      <p>
        For <code>{destination.url}</code>. Values of headers, passwords and tokens are stored encrypted and never shown
        again. They are removed when the URL moves to another origin.
      </p>
      <SelectField
        label="Ordering"
        hint="Deliveries of one conversation are sent one after another, or all as soon as possible."
        options={[
          ['conversation', 'per conversation'],
          ['none', 'none'],
        ]}
        {...form.bind('ordering')}
      />
      <RequestFields form={form} destination={destination} />
      <PaceFields form={form} />
    </FormDialog>
  );
}

interface FieldsProps {
  readonly form: ReturnType<typeof useFields<ReturnType<typeof optionsFormOf>>>;
}

function RequestFields({ form, destination }: FieldsProps & { readonly destination: DestinationHealth }) {
  const { fields, set, bind } = form;
  const { authentication } = fields;
  const isKept = !changesAuthentication(fields, destination);
  return (
    <>
      {destination.headers.length > 0 && (
        <CheckboxGroup legend="Remove headers" options={destination.headers} {...bind('removedHeaders')} />
      )}
      <TextArea
        label="Add or replace headers"
        hint={
          <>
            One <code>Name: value</code> per line, for example the API key of your gateway.
          </>
        }
        rows={3}
        {...bind('newHeaders')}
      />
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
      {authentication === 'basic' && <TextField label="User name" required autoComplete="off" {...bind('username')} />}
      {authentication !== 'none' && (
        <TextField
          label={authentication === 'basic' ? 'Password' : 'Token'}
          hint={isKept ? 'Leave empty to keep the present one.' : undefined}
          required={!isKept}
          type="password"
          autoComplete="new-password"
          {...bind('secret')}
        />
      )}
      <Checkbox
        label="Send the trace header"
        hint="traceparent connects your traces with those of the service."
        {...bind('sendsTraceParent')}
      />
    </>
  );
}

function PaceFields({ form: { fields, bind } }: FieldsProps) {
  const whole = { type: 'number', step: '1' } as const;
  const number = { ...whole, min: '1', placeholder: 'default' };
  return (
    <>
      <div class="fields-in-rows">
        <TextField {...number} max="30" label="Time-out in seconds" {...bind('timeoutSeconds')} />
        <TextField {...number} max="1000" label="Requests per second" {...bind('requestsPerSecond')} />
        <TextField {...number} max="100" label="Requests at a time" {...bind('concurrency')} />
      </div>
      <SelectField
        label="Retries"
        options={[
          ['default', 'default'],
          ['fast', 'fast: eight in 19 minutes'],
          ['patient', 'patient: twelve in five days'],
          ['own', 'own steps'],
        ]}
        {...bind('schedule')}
      />
      {fields.schedule === 'own' && (
        <TextField
          label="Seconds before each retry"
          hint="Up to 20 steps of a day at most, and seven days in all."
          required
          pattern="[\d\s,]+"
          placeholder="5, 30, 300"
          {...bind('steps')}
        />
      )}
      <div class="fields-in-rows">
        <TextField
          {...whole}
          min="1"
          max="60"
          label="Gather events for (seconds)"
          placeholder="off"
          {...bind('debounceSeconds')}
        />
        <TextField
          {...whole}
          min="2"
          max="100"
          label="Or until there are"
          placeholder="100 events"
          {...bind('debounceEvents')}
        />
      </div>
      <p>
        Gathered events of a conversation arrive as a JSON array in one request. Your receiver must be ready for it
        before you save.
      </p>
    </>
  );
}
