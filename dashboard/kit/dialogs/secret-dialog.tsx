import type { ComponentChildren } from 'preact';
import { Button } from '../button.tsx';
import { CopyableLine } from '../copyable.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorBox } from '../error-box.tsx';
import { Loading } from '../lists/list.tsx';

export interface SecretDialogProps {
  readonly title: string;
  readonly secret: string | null;
  readonly error?: Error | null;
  readonly what: string;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

export function SecretDialog({ title, secret, error = null, what, children, onClose }: SecretDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <ErrorBox error={error} />
      {secret === null && !error && <Loading />}
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
