import { useState } from 'preact/hooks';
import { mediaTypes } from '../../../contract/media-types.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { SelectField, TextField } from '../../kit/field.tsx';
import { Form } from '../../kit/form.tsx';
import { idempotencyKey } from '../../kit/idempotency-key.ts';
import { RadioGroup } from '../../kit/radio-group.tsx';
import { TextArea } from '../../kit/text-area.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/use-action.ts';
import { api } from '../../shell/api.ts';
import { containerBodyOf, type ContainerFields, noFields, takes } from './container-form.ts';

interface CreateContainerDialogProps {
  readonly channelId: string;
  readonly onCreated: (containerId: string) => void;
  readonly onClose: () => void;
}

/** Makes a container; the platform answers when it has taken it. */
export function CreateContainerDialog({ channelId: ch, onCreated, onClose }: CreateContainerDialogProps) {
  const [fields, setFields] = useState(noFields);
  const [key, setKey] = useState(idempotencyKey);
  const change = (changes: Partial<ContainerFields>) => {
    setFields({ ...fields, ...changes });
    setKey(idempotencyKey()); // another request; what was sent before is not meant again
  };
  const action = useAction(async () => {
    const params = { path: { ch }, header: { 'Idempotency-Key': key } };
    const body = containerBodyOf(fields);
    const { containerId } = await api.post('/channels/{ch}/photoapp/containers', { params, body });
    toast('The platform has taken it.');
    onCreated(containerId);
  });
  return (
    <Dialog title="New media container" onClose={onClose}>
      <Form action={action} submit="Create" onCancel={onClose}>
        <SelectField
          label="Type"
          value={fields.mediaType}
          options={mediaTypes.map((type) => [type, type.charAt(0) + type.slice(1).toLowerCase()])}
          onValue={(mediaType) => change({ mediaType })}
        />
        <MediaFields fields={fields} onChange={change} />
        <label class="choice-line">
          <input
            type="checkbox"
            checked={fields.autoPublish}
            onChange={({ currentTarget }) => change({ autoPublish: currentTarget.checked })}
          />
          <span>Publish as soon as it is ready</span>
        </label>
      </Form>
    </Dialog>
  );
}

interface MediaFieldsProps {
  readonly fields: ContainerFields;
  readonly onChange: (changes: Partial<ContainerFields>) => void;
}

function MediaFields({ fields, onChange }: MediaFieldsProps) {
  const { mediaType } = fields;
  return (
    <>
      {takes.children(mediaType) ? (
        <TextArea
          label="Images and videos"
          hint="2 to 10 https addresses, one on a line. Write “video” before one whose name does not say so."
          value={fields.children}
          onValue={(children) => onChange({ children })}
        />
      ) : (
        <MediaUrlFields fields={fields} onChange={onChange} />
      )}
      <WordFields fields={fields} onChange={onChange} />
    </>
  );
}

function MediaUrlFields({ fields, onChange }: MediaFieldsProps) {
  const { mediaType } = fields;
  return (
    <>
      {mediaType === 'STORIES' && (
        <RadioGroup
          legend="The story shows"
          options={[
            { value: 'image', words: 'An image' },
            { value: 'video', words: 'A video' },
          ]}
          value={fields.isVideo ? 'video' : 'image'}
          onValue={(kind) => onChange({ isVideo: kind === 'video' })}
        />
      )}
      <TextField
        label={mediaType === 'IMAGE' ? 'Image URL' : mediaType === 'STORIES' ? 'URL' : 'Video URL'}
        hint="A public https address, which the platform fetches."
        type="url"
        required
        spellcheck={false}
        value={fields.url}
        onValue={(url) => onChange({ url })}
      />
      {takes.coverUrl(mediaType) && (
        <TextField
          label="Cover URL (optional)"
          type="url"
          spellcheck={false}
          value={fields.coverUrl}
          onValue={(coverUrl) => onChange({ coverUrl })}
        />
      )}
    </>
  );
}

function WordFields({ fields, onChange }: MediaFieldsProps) {
  const { mediaType } = fields;
  return (
    <>
      {takes.caption(mediaType) && (
        <TextArea
          label="Caption (optional)"
          rows={3}
          value={fields.caption}
          onValue={(caption) => onChange({ caption })}
        />
      )}
      {takes.altText(mediaType) && (
        <TextField
          label="Alternative text (optional)"
          maxLength={1000}
          value={fields.altText}
          onValue={(altText) => onChange({ altText })}
        />
      )}
    </>
  );
}
