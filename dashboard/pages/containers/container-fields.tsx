import { useRef } from 'preact/hooks';
import {
  MAX_ALT_TEXT_LENGTH,
  MAX_AUDIO_NAME_LENGTH,
  MAX_CAPTION_LENGTH,
  MAX_CHILDREN,
  MAX_HASHTAGS,
  MAX_MENTIONS,
  MAX_USER_TAGS,
  MIN_CHILDREN,
  tagsHavePlaces,
} from '../../../contract/containers/rules.ts';
import { formatNumber } from '../../kit/format/format.ts';
import { Checkbox, RadioGroup, SelectField, TextArea, TextField } from '../../kit/forms.tsx';
import { Icon } from '../../kit/icon.tsx';
import { CreateButton } from '../../kit/parts.tsx';
import { type ContainerFields, noTag, type TagFields, takes } from './container-form.ts';

interface ContainerFieldsProps {
  readonly fields: ContainerFields;
  readonly onChange: (changes: Partial<ContainerFields>) => void;
}

/** The fields that the type of the media takes. */
export function PostFields(props: ContainerFieldsProps) {
  return (
    <>
      <MediaFields {...props} />
      <TextFields {...props} />
      <AudienceFields {...props} />
      <UserTagFields {...props} />
    </>
  );
}

function MediaFields({ fields, onChange }: ContainerFieldsProps) {
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
            ['image', 'Image'],
            ['video', 'Video'],
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

const atMost = (length: number): string => `Up to ${formatNumber(length)} characters`;

const trials = [
  ['none', 'No, show it to everyone'],
  ['manual', 'Yes, until you end the trial'],
  ['automatic', 'Yes, until it performs well'],
] as const satisfies readonly (readonly [ContainerFields['trial'], string])[];

function TextFields({ fields, onChange }: ContainerFieldsProps) {
  const { mediaType } = fields;
  return (
    <>
      {takes(mediaType, 'caption') && (
        <TextArea
          label="Caption (optional)"
          hint={`${atMost(MAX_CAPTION_LENGTH)}, ${MAX_HASHTAGS} hashtags and ${MAX_MENTIONS} mentions.`}
          rows={3}
          value={fields.caption}
          onValue={(caption) => onChange({ caption })}
        />
      )}
      {takes(mediaType, 'altText') && (
        <TextField
          label="Alternative text (optional)"
          hint={`Describes the image for people who can't see it. ${atMost(MAX_ALT_TEXT_LENGTH)}.`}
          value={fields.altText}
          onValue={(altText) => onChange({ altText })}
        />
      )}
      {takes(mediaType, 'locationId') && (
        <TextField
          label="Location ID (optional)"
          hint="The numeric ID of a Page that has a location."
          inputMode="numeric"
          pattern="\d{1,40}"
          title="Up to 40 digits"
          spellcheck={false}
          value={fields.locationId}
          onValue={(locationId) => onChange({ locationId })}
        />
      )}
      {takes(mediaType, 'audioName') && (
        <TextField
          label="Audio name (optional)"
          hint={`${atMost(MAX_AUDIO_NAME_LENGTH)}.`}
          value={fields.audioName}
          onValue={(audioName) => onChange({ audioName })}
        />
      )}
    </>
  );
}

function AudienceFields({ fields, onChange }: ContainerFieldsProps) {
  const { mediaType } = fields;
  return (
    <>
      {takes(mediaType, 'trialParams') && (
        <SelectField
          label="Trial reel"
          hint="A trial reel is first shown to people who don't follow the account."
          value={fields.trial}
          options={trials}
          onValue={(trial) => onChange({ trial })}
        />
      )}
      {takes(mediaType, 'trialParams') && fields.trial !== 'none' && (
        <TextArea
          label="Further trial parameters (optional)"
          hint="A JSON object that is sent to the platform unchanged."
          rows={2}
          value={fields.trialParams}
          onValue={(trialParams) => onChange({ trialParams })}
        />
      )}
      {takes(mediaType, 'shareToFeed') && (
        <Checkbox
          label="Also share to feed"
          value={fields.shareToFeed}
          onValue={(shareToFeed) => onChange({ shareToFeed })}
        />
      )}
    </>
  );
}

function UserTagFields({ fields: { mediaType, userTags }, onChange }: ContainerFieldsProps) {
  const group = useRef<HTMLFieldSetElement>(null);
  if (!takes(mediaType, 'userTags')) return null;
  const set = (tags: readonly TagFields[]) => onChange({ userTags: tags });
  const remove = (index: number) => {
    set(userTags.filter((_, other) => other !== index));
    group.current?.focus();
  };
  return (
    <fieldset class="choice-group" ref={group} tabIndex={-1}>
      <legend>Tagged people (optional)</legend>
      {userTags.map((tag, index) => (
        <TagRow
          key={index}
          tag={tag}
          number={index + 1}
          hasPosition={tagsHavePlaces(mediaType)}
          onTag={(changed) => set(userTags.with(index, changed))}
          onRemove={() => remove(index)}
        />
      ))}
      <div>
        <CreateButton small disabled={userTags.length >= MAX_USER_TAGS} onClick={() => set([...userTags, noTag])}>
          Tag a person
        </CreateButton>
      </div>
      <p class="hint">
        Up to {MAX_USER_TAGS}.{takes(mediaType, 'children') && ' Tags apply to the first item, which must be an image.'}
      </p>
    </fieldset>
  );
}

interface TagRowProps {
  readonly tag: TagFields;
  readonly number: number;
  readonly hasPosition: boolean;
  readonly onTag: (tag: TagFields) => void;
  readonly onRemove: () => void;
}

function TagRow({ tag, number, hasPosition, onTag, onRemove }: TagRowProps) {
  const percent = { type: 'number', min: '0', max: '100', step: 'any', required: true } as const;
  return (
    <div class={hasPosition ? 'tag-row with-place' : 'tag-row'} role="group" aria-label={`Person ${number}`}>
      <TextField
        label="Username"
        required
        isFirst
        pattern="@?[A-Za-z0-9._]{1,30}"
        title="Up to 30 letters, digits, dots and underscores"
        autoComplete="off"
        spellcheck={false}
        value={tag.username}
        onValue={(username) => onTag({ ...tag, username })}
      />
      {hasPosition && (
        <>
          <TextField
            label="From left (%)"
            {...percent}
            value={tag.fromLeft}
            onValue={(fromLeft) => onTag({ ...tag, fromLeft })}
          />
          <TextField
            label="From top (%)"
            {...percent}
            value={tag.fromTop}
            onValue={(fromTop) => onTag({ ...tag, fromTop })}
          />
        </>
      )}
      <button type="button" class="copy" aria-label={`Remove person ${number}`} onClick={onRemove}>
        <Icon name="cross" />
      </button>
    </div>
  );
}
