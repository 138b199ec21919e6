import {
  MAX_ALT_TEXT_LENGTH,
  MAX_AUDIO_NAME_LENGTH,
  MAX_CAPTION_LENGTH,
  MAX_HASHTAGS,
  MAX_MENTIONS,
} from '../../../contract/containers/rules.ts';
import { CheckLine } from '../../kit/forms/check-line.tsx';
import { numberText } from '../../kit/texts/counted.ts';
import { SelectField, TextField } from '../../kit/forms/field.tsx';
import { TextArea } from '../../kit/forms/text-area.tsx';
import { type ContainerFields, takes } from './container-form.ts';
import type { ContainerFieldsProps } from './media-fields.tsx';

const atMost = (length: number): string => `At most ${numberText(length)} characters`;

const trials = [
  ['none', 'No: everybody sees it at once'],
  ['manual', 'Yes, until somebody ends the trial'],
  ['automatic', 'Yes, until it has done well'],
] as const satisfies readonly (readonly [ContainerFields['trial'], string])[];

/** What goes with the media, as far as the type takes it. */
export function PostFields({ fields, onChange }: ContainerFieldsProps) {
  return (
    <>
      <WordFields fields={fields} onChange={onChange} />
      <PlaceAndSound fields={fields} onChange={onChange} />
      <AudienceFields fields={fields} onChange={onChange} />
    </>
  );
}

function WordFields({ fields, onChange }: ContainerFieldsProps) {
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
          hint={`For those who do not see the image. ${atMost(MAX_ALT_TEXT_LENGTH)}.`}
          value={fields.altText}
          onValue={(altText) => onChange({ altText })}
        />
      )}
    </>
  );
}

function PlaceAndSound({ fields, onChange }: ContainerFieldsProps) {
  const { mediaType } = fields;
  return (
    <>
      {takes(mediaType, 'locationId') && (
        <TextField
          label="Location id (optional)"
          hint="The id, in digits, of a Page that has a place."
          inputMode="numeric"
          pattern="\d{1,40}"
          title="Digits, 40 at most"
          spellcheck={false}
          value={fields.locationId}
          onValue={(locationId) => onChange({ locationId })}
        />
      )}
      {takes(mediaType, 'audioName') && (
        <TextField
          label="Name of the sound (optional)"
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
          label="On trial"
          hint="A reel on trial is shown first to people who do not follow the account."
          value={fields.trial}
          options={trials}
          onValue={(trial) => onChange({ trial })}
        />
      )}
      {takes(mediaType, 'shareToFeed') && (
        <CheckLine
          label="Show it in the feed, too"
          isChecked={fields.shareToFeed}
          onChecked={(shareToFeed) => onChange({ shareToFeed })}
        />
      )}
    </>
  );
}
