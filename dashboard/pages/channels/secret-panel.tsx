import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { CopyableLine } from '../../kit/copyable.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Panel } from '../../kit/facts.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { RotateDialog, type RotateDialogProps } from './rotate-dialog.tsx';

interface SecretPanelProps<Given> {
  readonly title: string;
  /** What the secret is good for. */
  readonly about: ComponentChildren;
  /** The secret, for people who do not see it: "the token". */
  readonly what: string;
  /** The button that asks for it. */
  readonly reveal: string;
  readonly load: () => Promise<Given>;
  /** The secret within what was given. */
  readonly secretOf: (given: Given) => string;
  /** What else was given with it. */
  readonly more?: (given: Given) => ComponentChildren;
  /** How it is replaced; null for people who may not. */
  readonly rotation: Rotation<Given> | null;
}

interface Rotation<Given> extends Pick<RotateDialogProps, 'title' | 'about' | 'standard'> {
  readonly rotate: (
    overlapSeconds: number,
    key: string,
  ) => Promise<{ readonly given: Given; readonly previousExpiresAt: string | null }>;
}

/** A secret of a channel: shown when asked for, and replaced. */
export function SecretPanel<Given>(props: SecretPanelProps<Given>) {
  const { title, about, what, reveal, load, secretOf, more, rotation } = props;
  const [shown, setShown] = useState<{ readonly given: Given } | null>(null);
  const [isRotating, setRotating] = useState(false);
  const show = useAction(async () => setShown({ given: await load() }));
  const actions = (
    <>
      <Button small busy={show.isBusy} onClick={() => (shown ? setShown(null) : void show.run())}>
        {shown ? 'Hide' : reveal}
      </Button>
      {rotation && (
        <Button small onClick={() => setRotating(true)}>
          Rotate …
        </Button>
      )}
    </>
  );
  return (
    <Panel title={title} actions={actions}>
      <p>{about}</p>
      <ErrorBox error={show.error} />
      {shown && <CopyableLine text={secretOf(shown.given)} what={what} />}
      {shown && more?.(shown.given)}
      {isRotating && rotation && (
        <RotateDialog
          {...rotation}
          rotate={async (overlapSeconds, key) => {
            const { given, previousExpiresAt } = await rotation.rotate(overlapSeconds, key);
            setShown({ given });
            return { secret: secretOf(given), previousExpiresAt };
          }}
          onClose={() => setRotating(false)}
        />
      )}
    </Panel>
  );
}
