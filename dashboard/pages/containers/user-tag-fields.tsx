import { useRef } from 'preact/hooks';
import { MAX_USER_TAGS, tagsHavePlaces } from '../../../contract/containers/rules.ts';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/forms/field.tsx';
import { Icon } from '../../kit/icon.tsx';
import { noTag, type TagFields, takes } from './container-form.ts';
import type { ContainerFieldsProps } from './media-fields.tsx';

/** The people who are tagged; on a picture, each with a place. */
export function UserTagFields({ fields: { mediaType, userTags }, onChange }: ContainerFieldsProps) {
  const group = useRef<HTMLFieldSetElement>(null);
  if (!takes(mediaType, 'userTags')) return null;
  const set = (tags: readonly TagFields[]) => onChange({ userTags: tags });
  const remove = (index: number) => {
    set(userTags.filter((_, other) => other !== index));
    group.current?.focus(); // the button that had the focus goes
  };
  return (
    <fieldset class="choice-group" ref={group} tabIndex={-1}>
      <legend>People (optional)</legend>
      {userTags.map((tag, index) => (
        <TagRow
          key={index}
          tag={tag}
          number={index + 1}
          hasPlace={tagsHavePlaces(mediaType)}
          onTag={(changed) => set(userTags.with(index, changed))}
          onRemove={() => remove(index)}
        />
      ))}
      <div>
        <Button small disabled={userTags.length >= MAX_USER_TAGS} onClick={() => set([...userTags, noTag])}>
          <Icon name="plus" /> Tag a person
        </Button>
      </div>
      <p class="hint">
        {MAX_USER_TAGS} at most.
        {takes(mediaType, 'children') && ' They are put on the first of the media, which must be an image.'}
      </p>
    </fieldset>
  );
}

interface TagRowProps {
  readonly tag: TagFields;
  /** Its place in the list, from 1. */
  readonly number: number;
  readonly hasPlace: boolean;
  readonly onTag: (tag: TagFields) => void;
  readonly onRemove: () => void;
}

function TagRow({ tag, number, hasPlace, onTag, onRemove }: TagRowProps) {
  const percent = { type: 'number', min: '0', max: '100', step: 'any', required: true } as const;
  return (
    <div class={hasPlace ? 'tag-row with-place' : 'tag-row'} role="group" aria-label={`Person ${number}`}>
      <TextField
        label="Username"
        required
        isFirst
        pattern="@?[A-Za-z0-9._]{1,30}"
        title="Letters, digits, dots and underscores, 30 at most"
        autoComplete="off"
        spellcheck={false}
        value={tag.username}
        onValue={(username) => onTag({ ...tag, username })}
      />
      {hasPlace && (
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
