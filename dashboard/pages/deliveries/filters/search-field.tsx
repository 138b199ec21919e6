import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../../kit/icon.tsx';
import { query, setQuery } from '../../../routes/router.ts';
import { isTyping } from '../list-keys.ts';

/** One field for all ids and texts. `/` focuses it. */
export function SearchField() {
  const given = query.value.get('q') ?? '';
  const [text, setText] = useState(given);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setText(given), [given]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
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
