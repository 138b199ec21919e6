import { useMemo, useState } from 'preact/hooks';
import { formatJson } from '../../client/json-text.ts';
import { Button, CopyButton } from './parts.tsx';

interface JsonViewProps {
  /** The original bytes, which "Copy" copies. */
  readonly text: string;
  readonly what: string;
}

/** More colored tokens make the page slow. The rest is shown on request, without colors. */
const MAX_TOKENS = 4_000;

/** Decodes the escapes that JSON does not need, such as those of letters. */
const decoded = (string: string): string => JSON.stringify(JSON.parse(string));

export function JsonView({ text, what }: JsonViewProps) {
  const parts = useMemo(() => formatJson(text), [text]);
  const [isWhole, setWhole] = useState(false);
  const shown = parts?.slice(0, MAX_TOKENS);
  const rest = parts?.slice(MAX_TOKENS) ?? [];
  return (
    <div class="json">
      <CopyButton text={text} what={what} />
      <pre tabIndex={0} aria-label={what}>
        <code>
          {shown
            ? shown.map(({ kind, text: part }, index) =>
                kind === 'mark' ? (
                  part
                ) : (
                  <span key={index} class={kind}>
                    {kind === 'key' || kind === 'string' ? decoded(part) : part}
                  </span>
                ),
              )
            : text}
          {isWhole && rest.map(({ text: part }) => part).join('')}
        </code>
      </pre>
      {rest.length > 0 && !isWhole && (
        <Button small onClick={() => setWhole(true)}>
          Show all
        </Button>
      )}
    </div>
  );
}
