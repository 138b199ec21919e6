import { MAX_CHILDREN, MIN_CHILDREN } from '../../../contract/containers/rules.ts';
import { TextField } from '../../kit/forms/field.tsx';
import { RadioGroup } from '../../kit/forms/radio-group.tsx';
import { TextArea } from '../../kit/forms/text-area.tsx';
import { type ContainerFields, takes } from './container-form.ts';

export interface ContainerFieldsProps {
  readonly fields: ContainerFields;
  readonly onChange: (changes: Partial<ContainerFields>) => void;
}

export function MediaFields({ fields, onChange }: ContainerFieldsProps) {
  const { mediaType } = fields;
  if (takes(mediaType, 'children')) {
    return (
      <TextArea
        label="Images and videos"
        hint={`${MIN_CHILDREN} to ${MAX_CHILDREN} https URLs, one per line. Start a line with “video” if the URL has no video file extension.`}
        value={fields.children}
        onValue={(children) => onChange({ children })}
      />
    );
  }
  return (
    <>
      {mediaType === 'STORIES' && (
        <RadioGroup
          legend="Story content"
          options={[
            { value: 'image', label: 'Image' },
            { value: 'video', label: 'Video' },
          ]}
          value={fields.isVideo ? 'video' : 'image'}
          onValue={(kind) => onChange({ isVideo: kind === 'video' })}
        />
      )}
      <TextField
        label={mediaType === 'IMAGE' ? 'Image URL' : mediaType === 'STORIES' ? 'URL' : 'Video URL'}
        hint="A public https URL that the platform can fetch."
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

function ThumbnailFields({ fields, onChange }: ContainerFieldsProps) {
  const { mediaType } = fields;
  return (
    <>
      {takes(mediaType, 'coverUrl') && (
        <TextField
          label="Cover URL (optional)"
          hint="A public https URL of the image to show before the video plays."
          type="url"
          spellcheck={false}
          value={fields.coverUrl}
          onValue={(coverUrl) => onChange({ coverUrl })}
        />
      )}
      {takes(mediaType, 'thumbOffset') && (
        <TextField
          label="Thumbnail offset (optional)"
          hint="Milliseconds from the start of the video. Ignored if you set a cover URL."
          type="number"
          min="0"
          value={fields.thumbOffset}
          onValue={(thumbOffset) => onChange({ thumbOffset })}
        />
      )}
    </>
  );
}
