import { signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../client/errors.ts';
import { asError } from './as-error.ts';
import type { Loaded } from './calls.ts';
import { formatExactTime, formatRelativeTime } from './format/format-relative-time.ts';
import { validationText } from './format/validation-text.ts';
import { Icon } from './icon.tsx';
import { toast } from './toast.tsx';
import type { Tone } from './tone.ts';

export function Badge({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

export interface ButtonProps extends Omit<JSX.IntrinsicElements['button'], 'className' | 'disabled'> {
  readonly tone?: 'primary' | 'plain' | 'quiet' | 'danger' | undefined;
  readonly small?: boolean;
  /** Ignores clicks while its action runs, but keeps the focus. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly children?: ComponentChildren;
}

export function Button({ tone = 'plain', small, busy, disabled, children, onClick, ...others }: ButtonProps) {
  return (
    <button
      type="button"
      {...others}
      class={`button ${tone}${small ? ' small' : ''}${busy ? ' busy' : ''}`}
      disabled={disabled}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {children}
    </button>
  );
}

/** A page has one primary button. The button of an empty list repeats it. */
export function CreateButton({ children, ...button }: ButtonProps) {
  return (
    <Button {...button}>
      <Icon name="plus" /> {children}
    </Button>
  );
}

const COPIED_MS = 1_500;

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
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
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

type Description = readonly [name: string, value: ComponentChildren];

/** Leaves out `null` and `false`, for what is not there. */
export function DescriptionList({ items }: { readonly items: readonly (Description | null | false)[] }) {
  return (
    <dl class="description-list">
      {items.map(
        (item) =>
          item && (
            <div key={item[0]}>
              <dt>{item[0]}</dt>
              <dd>{item[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

interface EmptyStateProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly action?: ComponentChildren;
  readonly command?: string | false;
}

export function EmptyState({ title, children, action, command }: EmptyStateProps) {
  return (
    <div class="empty-state">
      <Icon name="inbox" />
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
      {command && (
        <div class="command">
          <p>{action ? 'Or use the command line:' : 'Use the command line:'}</p>
          <CopyableLine text={command} what="command" />
        </div>
      )}
    </div>
  );
}

interface ErrorBoxProps {
  readonly error: Error | null;
  readonly onRetry?: () => unknown;
}

export function ErrorBox({ error, onRetry }: ErrorBoxProps) {
  if (!error) return null;
  return (
    <div class="error-box" role="alert">
      <Icon name="warning" />
      <div>
        <p>{validationText(error.message)}</p>
        {error instanceof ApiError && (
          <p class="details">
            <code>{error.code}</code>
            {error.requestId !== null && (
              <>
                {' '}
                · request <CopyableId id={error.requestId} what="request ID" />
              </>
            )}
          </p>
        )}
      </div>
      {onRetry && mayPass(error) && (
        <Button small onClick={() => void onRetry()}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Repeating an invalid request, or one for what does not exist, gives the same answer. */
function mayPass(error: Error): boolean {
  return !(error instanceof ApiError && [400, 404].includes(error.statusCode));
}

/** Holds the place of what loads, so that nothing jumps when it arrives. CSS shows it only after a delay. */
export function Loading() {
  return (
    <div class="skeleton" role="status">
      <span class="hidden">Loading…</span>
      {Array.from({ length: 4 }, (_, index) => (
        <div key={index} aria-hidden="true">
          <span />
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}

interface WhenLoadedProps<Value> {
  readonly of: Loaded<Value>;
  readonly children?: (value: Value) => ComponentChildren;
}

/** Shows a value with its error, and holds its place while it loads for the first time. */
export function WhenLoaded<Value>({ of: { value, error, reload }, children }: WhenLoadedProps<Value>) {
  return (
    <>
      <ErrorBox error={error} onRetry={reload} />
      {value === null ? !error && <Loading /> : children?.(value)}
    </>
  );
}

interface PanelProps {
  readonly title: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Panel({ title, actions, children }: PanelProps) {
  return (
    <section class="panel">
      <header>
        <h2>{title}</h2>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

interface ProgressBarProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
}

export function ProgressBar({ label, value, max }: ProgressBarProps) {
  return <progress class="progress" aria-label={label} value={max === 0 ? 1 : value} max={max === 0 ? 1 : max} />;
}

const lastTickMs = signal(Date.now());
const TICK_MS = 10_000;
setInterval(() => {
  if (!document.hidden) lastTickMs.value = Date.now();
}, TICK_MS);

export function RelativeTime({ at }: { readonly at: string }) {
  const instant = new Date(at);
  const now = new Date(Math.max(lastTickMs.value, Date.now()));
  return (
    <time dateTime={at} title={formatExactTime(instant)}>
      {formatRelativeTime(instant, now)}
    </time>
  );
}

/** Opens a page of another site in a new tab. */
export function ExternalLink({ href, about, children }: { href: string; about?: string; children: ComponentChildren }) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children} <Icon name="external" />
      {about && <span class="hidden"> (opens {about} in a new tab)</span>}
    </a>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
}

/** Buttons of which one is pressed. */
export function Choice<Value extends string>({ label, values, chosen, onChoose }: ChoiceProps<Value>) {
  return (
    <div class="choice" role="group" aria-label={label}>
      {values.map((value) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
          {value}
        </button>
      ))}
    </div>
  );
}
