import { useEffect, useState } from 'preact/hooks';
import { asError } from './calls/as-error.ts';
import { Icon } from './icon.tsx';
import { toast } from './toast.tsx';

const CONFIRMED_MS = 1_500;

interface CopyButtonProps {
  /** A function loads the text when it is copied. */
  readonly text: string | (() => Promise<string>);
  readonly what: string;
  readonly children?: string;
}

export function CopyButton({ text, what, children }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    try {
      await (typeof text === 'string' ? writeToClipboard(text) : loadToClipboard(text()));
    } catch (error) {
      return toast(asError(error).message, 'warning');
    }
    setCopied(true);
    toast(`Copied ${what}.`);
  };
  return (
    <button
      type="button"
      class={children ? 'button plain' : 'copy'}
      aria-label={children ? undefined : `Copy ${what}`}
      title={`Copy ${what}`}
      onClick={() => void copy()}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
      {children}
    </button>
  );
}

/** Hands over the promise within the click: some browsers refuse a copy that begins after the text is loaded. */
async function loadToClipboard(loading: Promise<string>): Promise<void> {
  if (!isSecureContext) return await writeToClipboard(await loading);
  const blob = loading.then((text) => new Blob([text], { type: 'text/plain' }));
  // The clipboard may never read it. Its failure is that of `loading`, which is shown.
  blob.catch(() => undefined);
  const copying = navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
  // The reason of a failed load says more than that of the copy.
  await Promise.all([loading, copying]);
}

/** Falls back to `execCommand`, because the Clipboard API requires TLS or localhost. */
async function writeToClipboard(text: string): Promise<void> {
  if (isSecureContext) return await navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  const place = document.querySelector('.dialog') ?? document.body;
  const focused = document.activeElement;
  place.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
}
