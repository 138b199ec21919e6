import { CopyButton } from './copy-button.tsx';

/** An id as it is written in calls of the API, to be taken along with one click. */
export function CopyableId({ id, what = 'the id' }: { readonly id: string; readonly what?: string }) {
  return (
    <span class="copyable">
      <code>{id}</code>
      <CopyButton text={id} what={`${what} ${id}`} />
    </span>
  );
}

/** A line that belongs into a terminal, or a value that is too long to type. */
export function CopyableLine({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div class="copyable-line">
      <pre tabIndex={0} aria-label={what}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}
