import { useEffect, useRef, useState } from 'preact/hooks';
import { useShortcut } from '../../../kit/commands/shortcuts.ts';
import { Icon } from '../../../kit/icon.tsx';
import { query, setQuery } from '../../../routes/router.ts';

/** One field for all ids and texts. `/` focuses it. */
export function SearchField() {
  const given = query.value.get('q') ?? '';
  const [text, setText] = useState(given);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setText(given), [given]);
  useShortcut({
    keys: '/',
    description: 'Search deliveries',
    run: () => {
      input.current?.focus();
      input.current?.select();
    },
  });
  return (
    <form
      class="delivery-search"
      onSubmit={(event) => {
        event.preventDefault();
        setQuery({ q: text.trim() });
      }}
    >
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label="Search deliveries"
        placeholder="Any ID, sender, message ID or text"
        maxLength={200}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={() => text.trim() === '' && given !== '' && setQuery({ q: '' })}
      />
      <kbd aria-hidden="true">/</kbd>
      <button type="submit" class="button">
        Search
      </button>
    </form>
  );
}
