import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { toast } from './toast.tsx';

const CONFIRMED_MS = 1_500;

interface CopyButtonProps {
  readonly text: string;
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
    await writeToClipboard(text);
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

/** Falls back to `execCommand`, because the Clipboard API requires TLS or localhost. */
async function writeToClipboard(text: string): Promise<void> {
  if (isSecureContext) return await navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  const place = document.querySelector('dialog[open]') ?? document.body;
  const focused = document.activeElement;
  place.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
}
