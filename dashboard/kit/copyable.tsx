import { CopyButton } from './copy-button.tsx';

export function CopyableId({ id, what = 'ID' }: { readonly id: string; readonly what?: string }) {
  return (
    <span class="copyable">
      <code>{id}</code>
      <CopyButton text={id} what={`${what} ${id}`} />
    </span>
  );
}

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
