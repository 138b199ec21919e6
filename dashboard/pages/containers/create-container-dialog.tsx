import { useState } from 'preact/hooks';
import { mediaTypes } from '../../../contract/containers/media-types.ts';
import { idempotencyKey, useAction } from '../../kit/calls.ts';
import { Dialog } from '../../kit/dialogs.tsx';
import { parseLocalTime } from '../../kit/format/format.ts';
import { ActionForm, Checkbox, SelectField, TextField } from '../../kit/forms.tsx';
import { toast } from '../../kit/toast.tsx';
import { api } from '../../session/api.ts';
import { PostFields } from './container-fields.tsx';
import { containerBodyOf, type ContainerFields, noFields } from './container-form.ts';

interface CreateContainerDialogProps {
  readonly channelId: string;
  readonly onCreated: (containerId: string) => void;
  readonly onScheduled: () => void;
  readonly onClose: () => void;
}

export function CreateContainerDialog({ channelId: ch, onCreated, onScheduled, onClose }: CreateContainerDialogProps) {
  const [fields, setFields] = useState(noFields);
  const [time, setTime] = useState('');
  const [key, setKey] = useState(idempotencyKey);
  const publishAt = parseLocalTime(time);
  const change = (changes: Partial<ContainerFields>) => {
    setFields({ ...fields, ...changes });
    setKey(idempotencyKey()); // a changed request is not a retry
  };
  const action = useAction(async () => {
    const params = { path: { ch }, header: { 'Idempotency-Key': key } };
    const body = containerBodyOf(fields);
    if (publishAt !== null) {
      await api.post('/channels/{ch}/photoapp/scheduled-posts', { params, body: { publishAt, container: body } });
      toast('Post scheduled.');
      onScheduled();
      return;
    }
    const { containerId } = await api.post('/channels/{ch}/photoapp/containers', { params, body });
    toast('Container created.');
    onCreated(containerId);
  });
  return (
    <Dialog title="Create media container" onClose={onClose}>
      <ActionForm action={action} submit={publishAt === null ? 'Create container' : 'Schedule post'} onCancel={onClose}>
        <SelectField
          label="Type"
          value={fields.mediaType}
          options={mediaTypes.map((type) => [type, type.charAt(0) + type.slice(1).toLowerCase()])}
          onValue={(mediaType) => change({ mediaType })}
        />
        <PostFields fields={fields} onChange={change} />
        <Checkbox
          label="Publish automatically when ready"
          value={fields.autoPublish}
          onValue={(autoPublish) => change({ autoPublish })}
        />
        <TextField
          label="Publish at"
          type="datetime-local"
          hint="Optional. In your time zone: the post is created and published then."
          value={time}
          onValue={(at) => {
            setTime(at);
            setKey(idempotencyKey());
          }}
        />
      </ActionForm>
    </Dialog>
  );
}
