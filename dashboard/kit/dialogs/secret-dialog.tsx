import type { ComponentChildren } from 'preact';
import { Button } from '../button.tsx';
import { CopyableLine } from '../copyable.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorBox } from '../error-box.tsx';
import { Waiting } from '../lists/list.tsx';

export interface SecretDialogProps {
  readonly title: string;
  /** Null until it is here. */
  readonly secret: string | null;
  /** Why it did not come. */
  readonly error?: Error | null;
  /** What is shown, for people who do not see it: "the key". */
  readonly what: string;
  /** What to do with it. */
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

/** Shows in full what opens something, to be taken along: a key, a secret, an address. */
export function SecretDialog({ title, secret, error = null, what, children, onClose }: SecretDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <ErrorBox error={error} />
      {secret === null && !error && <Waiting />}
      {secret !== null && (
        <div class="prose">
          <p>{children}</p>
          <CopyableLine text={secret} what={what} />
        </div>
      )}
      <div class="form-actions">
        <Button tone="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
