import { useMemo, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { layOutJson } from '../../client/json-text.ts';

interface JsonViewProps {
  /** The bytes as they went over the wire. */
  readonly text: string;
  /** What it is: "the payload". */
  readonly what: string;
}

/** More parts than these would make the page slow; the rest shows when it is asked for, without colours. */
const MAX_PARTS = 4_000;

/** JSON laid out and coloured, anything else as it is; what is copied are the bytes as they came. */
export function JsonView({ text, what }: JsonViewProps) {
  const parts = useMemo(() => layOutJson(text), [text]);
  const [isWhole, setWhole] = useState(false);
  const shown = parts?.slice(0, MAX_PARTS);
  const rest = parts?.slice(MAX_PARTS) ?? [];
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
                    {part}
                  </span>
                ),
              )
            : text}
          {isWhole && rest.map(({ text: part }) => part).join('')}
        </code>
      </pre>
      {rest.length > 0 && !isWhole && (
        <Button small onClick={() => setWhole(true)}>
          Show the rest
        </Button>
      )}
    </div>
  );
}
