import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { CopyableLine } from '../../kit/copyable.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Panel } from '../../kit/panel.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { RotateDialog, type RotateDialogProps } from './rotate-dialog.tsx';

interface SecretPanelProps<Revealed> {
  readonly title: string;
  readonly about: ComponentChildren;
  readonly what: string;
  readonly reveal: string;
  readonly load: () => Promise<Revealed>;
  readonly secretOf: (revealed: Revealed) => string;
  readonly more?: (revealed: Revealed) => ComponentChildren;
  /** Null for users who may not rotate the secret. */
  readonly rotation: Rotation<Revealed> | null;
}

interface Rotation<Revealed> extends Pick<RotateDialogProps, 'title' | 'about' | 'submit' | 'defaultOverlap'> {
  readonly rotate: (
    overlapSeconds: number,
    key: string,
  ) => Promise<{ readonly revealed: Revealed; readonly previousExpiresAt: string | null }>;
}

export function SecretPanel<Revealed>(props: SecretPanelProps<Revealed>) {
  const { title, about, what, reveal, load, secretOf, more, rotation } = props;
  const [shown, setShown] = useState<{ readonly revealed: Revealed } | null>(null);
  const [isRotating, setRotating] = useState(false);
  const show = useAction(async () => setShown({ revealed: await load() }));
  const actions = (
    <>
      <Button small busy={show.isBusy} onClick={() => (shown ? setShown(null) : void show.run())}>
        {shown ? 'Hide' : reveal}
      </Button>
      {rotation && (
        <Button small onClick={() => setRotating(true)}>
          {rotation.submit}
        </Button>
      )}
    </>
  );
  return (
    <Panel title={title} actions={actions}>
      <p>{about}</p>
      <ErrorBox error={show.error} />
      {shown && <CopyableLine text={secretOf(shown.revealed)} what={what} />}
      {shown && more?.(shown.revealed)}
      {isRotating && rotation && (
        <RotateDialog
          {...rotation}
          rotate={async (overlapSeconds, key) => {
            const { revealed, previousExpiresAt } = await rotation.rotate(overlapSeconds, key);
            setShown({ revealed });
            return { secret: secretOf(revealed), previousExpiresAt };
          }}
          onClose={() => setRotating(false)}
        />
      )}
    </Panel>
  );
}
