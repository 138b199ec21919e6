import { useRef } from 'preact/hooks';
import { MAX_USER_TAGS, tagsHavePlaces } from '../../../contract/containers/rules.ts';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/forms/field.tsx';
import { Icon } from '../../kit/icon.tsx';
import { noTag, type TagFields, takes } from './container-form.ts';
import type { ContainerFieldsProps } from './media-fields.tsx';

export function UserTagFields({ fields: { mediaType, userTags }, onChange }: ContainerFieldsProps) {
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
        <Button small disabled={userTags.length >= MAX_USER_TAGS} onClick={() => set([...userTags, noTag])}>
          <Icon name="plus" /> Tag a person
        </Button>
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
