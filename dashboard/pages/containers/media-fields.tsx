import { MAX_CHILDREN, MIN_CHILDREN } from '../../../contract/containers/rules.ts';
import { TextField } from '../../kit/forms/field.tsx';
import { RadioGroup } from '../../kit/forms/radio-group.tsx';
import { TextArea } from '../../kit/forms/text-area.tsx';
import { type ContainerFields, takes } from './container-form.ts';

export interface ContainerFieldsProps {
  readonly fields: ContainerFields;
  readonly onChange: (changes: Partial<ContainerFields>) => void;
}

/** What the post shows. */
export function MediaFields({ fields, onChange }: ContainerFieldsProps) {
  const { mediaType } = fields;
  if (takes(mediaType, 'children')) {
    return (
      <TextArea
        label="Images and videos"
        hint={`${MIN_CHILDREN} to ${MAX_CHILDREN} https addresses, one on a line. Write “video” before one whose name does not say so.`}
        value={fields.children}
        onValue={(children) => onChange({ children })}
      />
    );
  }
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
      <ThumbnailFields fields={fields} onChange={onChange} />
    </>
  );
}

/** What is seen of a video before it plays. */
function ThumbnailFields({ fields, onChange }: ContainerFieldsProps) {
  const { mediaType } = fields;
  return (
    <>
      {takes(mediaType, 'coverUrl') && (
        <TextField
          label="Cover URL (optional)"
          hint="A public https address of an image, shown before the video plays."
          type="url"
          spellcheck={false}
          value={fields.coverUrl}
          onValue={(coverUrl) => onChange({ coverUrl })}
        />
      )}
      {takes(mediaType, 'thumbOffset') && (
        <TextField
          label="Frame to show first (optional)"
          hint="In milliseconds from the start. A cover wins over it."
          type="number"
          min="0"
          value={fields.thumbOffset}
          onValue={(thumbOffset) => onChange({ thumbOffset })}
        />
      )}
    </>
  );
}
