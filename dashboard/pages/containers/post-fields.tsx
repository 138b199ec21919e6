import {
  MAX_ALT_TEXT_LENGTH,
  MAX_AUDIO_NAME_LENGTH,
  MAX_CAPTION_LENGTH,
  MAX_HASHTAGS,
  MAX_MENTIONS,
} from '../../../contract/containers/rules.ts';
import { Checkbox } from '../../kit/forms/checkbox.tsx';
import { formatNumber } from '../../kit/format/pluralize.ts';
import { SelectField, TextField } from '../../kit/forms/field.tsx';
import { TextArea } from '../../kit/forms/text-area.tsx';
import { type ContainerFields, takes } from './container-form.ts';
import type { ContainerFieldsProps } from './media-fields.tsx';

const atMost = (length: number): string => `Up to ${formatNumber(length)} characters`;

const trials = [
  ['none', 'No, show it to everyone'],
  ['manual', 'Yes, until you end the trial'],
  ['automatic', 'Yes, until it performs well'],
] as const satisfies readonly (readonly [ContainerFields['trial'], string])[];

export function PostFields({ fields, onChange }: ContainerFieldsProps) {
  return (
    <>
      <TextFields fields={fields} onChange={onChange} />
      <LocationAndAudioFields fields={fields} onChange={onChange} />
      <AudienceFields fields={fields} onChange={onChange} />
    </>
  );
}

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
    </>
  );
}

function LocationAndAudioFields({ fields, onChange }: ContainerFieldsProps) {
  const { mediaType } = fields;
  return (
    <>
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
          isChecked={fields.shareToFeed}
          onChecked={(shareToFeed) => onChange({ shareToFeed })}
        />
      )}
    </>
  );
}
