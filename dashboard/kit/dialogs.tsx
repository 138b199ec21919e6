import * as zag from '@zag-js/dialog';
import { normalizeProps, useMachine } from '@zag-js/preact';
import { type ComponentChildren, Fragment } from 'preact';
import { createPortal } from 'preact/compat';
import { useId, useLayoutEffect, useState } from 'preact/hooks';
import { Form, type FormProps, TextField } from './forms.tsx';
import { Icon } from './icon.tsx';
import { Button, CopyableLine, ErrorBox, Loading } from './parts.tsx';
import { toast } from './toast.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly isWide?: boolean | undefined;
  /** A list of commands: without a visible title, closed by a click elsewhere. */
  readonly isPalette?: boolean;
  readonly children: ComponentChildren;
}

/** Open while it is rendered. It keeps the focus inside, closes on Escape and gives the focus back. */
export function Dialog({ title, onClose, isWide, isPalette = false, children }: DialogProps) {
  useLayoutEffect(keepGutter, []);
  const id = useId();
  const contentId = `${id}-content`;
  const service = useMachine(zag.machine, {
    id,
    ids: { content: contentId },
    open: true,
    restoreFocus: false,
    closeOnInteractOutside: isPalette,
    initialFocusEl: () => firstFocus(document.getElementById(contentId)),
    onOpenChange: () => onClose(),
  });
  const api = zag.connect(service, normalizeProps);
  useReturnedFocus();
  return createPortal(
    <>
      <div {...api.getBackdropProps()} class="dialog-backdrop" />
      <div {...api.getPositionerProps()} class="dialog-place">
        <div
          {...api.getContentProps()}
          class={['dialog', isWide && 'wide', isPalette && 'palette'].filter(Boolean).join(' ')}
        >
          <header class={isPalette ? 'hidden' : undefined}>
            <h2 {...api.getTitleProps()}>{title}</h2>
            {!isPalette && (
              <button {...api.getCloseTriggerProps()} class="copy" aria-label="Close">
                <Icon name="cross" />
              </button>
            )}
          </header>
          {children}
        </div>
      </div>
    </>,
    document.body,
  );
}

/** The page keeps its width when a dialog takes its scrollbar. */
function keepGutter(): void {
  const { documentElement, body } = document;
  if (body.hasAttribute('data-scroll-lock')) return; // of a dialog that this one replaces
  documentElement.style.setProperty('--gutter', `${innerWidth - documentElement.getBoundingClientRect().width}px`);
}

/** A field that took the focus keeps it; else the first field, else the dialog itself, so that Enter does nothing yet. */
function firstFocus(content: HTMLElement | null): HTMLElement | null {
  if (!content) return null;
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && content.contains(activeElement)) return activeElement;
  return content.querySelector<HTMLElement>('input:not(:disabled),select,textarea') ?? content;
}

/** What had the focus before the first of several dialogs that replace each other. */
let opener: HTMLElement | null = null;

/**
 * Gives the focus back when a dialog is gone: to what opened it, else to what opened the dialog before it, else, as with
 * a deleted row, to the heading of the page. Must come after the machine of the dialog, which guards the focus.
 */
function useReturnedFocus(): void {
  const [candidates] = useState(findCandidates);
  useLayoutEffect(
    () => () => {
      candidates.find((element) => element?.isConnected)?.focus({ preventScroll: true });
      requestAnimationFrame(keepFocusInPage);
    },
    [],
  );
}

function findCandidates(): readonly (HTMLElement | null)[] {
  const active = document.activeElement;
  if (!(active instanceof HTMLElement) || active === document.body) return [opener];
  if (active.closest('.dialog')) return [active, opener];
  opener = buttonOfMenu(active) ?? active;
  return [opener];
}

/** An item of a menu is gone after its choice; the menu's button stays. */
function buttonOfMenu(element: HTMLElement): HTMLElement | null {
  const id = element.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return id ? document.getElementById(id) : null;
}

function keepFocusInPage(): void {
  const { activeElement } = document;
  if (activeElement === document.body || activeElement === null) {
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }
}

let lastNumber = 0;

type ShowDialog = (close: () => void) => ComponentChildren;

/**
 * Holds the open dialog of a page or panel, which renders `shown`. A dialog that opens another one is replaced by it, and
 * closes nothing any more.
 */
export function useDialog() {
  const [open, setOpen] = useState<{ readonly show: ShowDialog; readonly number: number } | null>(null);
  const openDialog = (show: ShowDialog): void => setOpen({ show, number: ++lastNumber });
  return {
    shown: open && (
      <Fragment key={open.number}>
        {open.show(() => setOpen((current) => (current?.number === open.number ? null : current)))}
      </Fragment>
    ),
    open: openDialog,
    /** Asks before an act, and says afterwards that it is done. */
    confirm: ({ about, act, done, ...dialog }: Confirmation): void =>
      openDialog((close) => (
        <ConfirmDialog
          {...dialog}
          onConfirm={async () => {
            await act();
            if (done !== undefined) toast(done);
          }}
          onClose={close}
        >
          <p>{about}</p>
        </ConfirmDialog>
      )),
  };
}

interface Confirmation extends Omit<ConfirmDialogProps, 'children' | 'onConfirm' | 'onClose'> {
  readonly about: ComponentChildren;
  readonly act: () => Promise<unknown>;
  readonly done?: string;
}

interface FormDialogProps extends Omit<FormProps, 'onCancel'>, Pick<DialogProps, 'title' | 'isWide'> {
  readonly onClose: () => void;
}

/** Closes after its action, unless `onDone` does something else. */
export function FormDialog({ title, isWide, onClose, onDone = onClose, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} isWide={isWide} onClose={onClose}>
      <Form {...form} onDone={onDone} onCancel={onClose} />
    </Dialog>
  );
}

interface ConfirmDialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly submit: string;
  readonly dismiss?: string;
  readonly tone?: 'primary' | 'danger';
  /** Optional. Text that the user must type to enable the button. */
  readonly typed?: string;
  readonly onConfirm: () => Promise<unknown>;
  /** Optional. Default: `onClose`. */
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { dismiss, tone = 'danger', typed, onConfirm, children, ...dialog } = props;
  const [text, setText] = useState('');
  const isTyped = typed === undefined || text.trim() === typed.trim();
  return (
    <FormDialog {...dialog} act={onConfirm} cancel={dismiss} tone={tone} disabled={!isTyped}>
      <div class="prose">{children}</div>
      {typed !== undefined && (
        <TextField
          label={`Type "${typed}" to confirm`}
          value={text}
          onValue={setText}
          autoComplete="off"
          spellcheck={false}
        />
      )}
    </FormDialog>
  );
}

/** Shows something until the user is done. */
export function DoneDialog({ children, ...dialog }: DialogProps) {
  return (
    <Dialog {...dialog}>
      {children}
      <div class="form-actions">
        <Button tone="primary" onClick={dialog.onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}

interface SecretDialogProps {
  readonly title: string;
  readonly secret: string | null;
  readonly error?: Error | null;
  readonly what: string;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

export function SecretDialog({ secret, error = null, what, children, ...dialog }: SecretDialogProps) {
  return (
    <DoneDialog {...dialog}>
      <ErrorBox error={error} />
      {secret === null && !error && <Loading />}
      {secret !== null && (
        <div class="prose">
          <p>{children}</p>
          <CopyableLine text={secret} what={what} />
        </div>
      )}
    </DoneDialog>
  );
}
