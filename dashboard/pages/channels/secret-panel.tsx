import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { idempotencyKey, useAction } from '../../kit/calls.ts';
import { FormDialog, SecretDialog, useDialog } from '../../kit/dialogs.tsx';
import { SelectField } from '../../kit/forms.tsx';
import { Button, CopyableLine, ErrorBox, Panel, RelativeTime } from '../../kit/parts.tsx';

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
  const dialog = useDialog();
  const show = useAction(async () => setShown({ revealed: await load() }));
  const openRotation = (given: Rotation<Revealed>) =>
    dialog.open((close) => (
      <RotateDialog
        {...given}
        rotate={async (overlapSeconds, key) => {
          const { revealed, previousExpiresAt } = await given.rotate(overlapSeconds, key);
          setShown({ revealed });
          return { secret: secretOf(revealed), previousExpiresAt };
        }}
        onRotated={dialog.open}
        onClose={close}
      />
    ));
  const actions = (
    <>
      <Button small busy={show.isBusy} onClick={() => (shown ? setShown(null) : show.run())}>
        {shown ? 'Hide' : reveal}
      </Button>
      {rotation && (
        <Button small onClick={() => openRotation(rotation)}>
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
      {dialog.shown}
    </Panel>
  );
}

const overlaps = [
  ['0', 'No, revoke it now'],
  ['3600', 'For one hour'],
  ['86400', 'For one day'],
  ['604800', 'For one week'],
] as const;
type Overlap = (typeof overlaps)[number][0];

interface Rotated {
  readonly secret: string;
  readonly previousExpiresAt: string | null;
}

interface RotateDialogProps {
  readonly title: string;
  readonly about: string;
  readonly submit: string;
  readonly defaultOverlap: Overlap;
  readonly rotate: (overlapSeconds: number, key: string) => Promise<Rotated>;
  /** Opens the dialog that shows the new secret. */
  readonly onRotated: ReturnType<typeof useDialog>['open'];
  readonly onClose: () => void;
}

export function RotateDialog({ about, defaultOverlap, rotate, onRotated, ...dialog }: RotateDialogProps) {
  const [overlap, setOverlap] = useState<Overlap>(defaultOverlap);
  const [key] = useState(idempotencyKey);
  const act = async () => {
    const { secret, previousExpiresAt } = await rotate(Number(overlap), `${key}-${overlap}`);
    onRotated((close) => (
      <SecretDialog title="Rotation complete" secret={secret} what="new secret" onClose={close}>
        {previousExpiresAt === null ? (
          'Update your programs now: the old one no longer works.'
        ) : (
          <>
            Update your programs. The old one expires <RelativeTime at={previousExpiresAt} />.
          </>
        )}
      </SecretDialog>
    ));
  };
  return (
    <FormDialog {...dialog} act={act} onDone={() => undefined}>
      <p>{about}</p>
      <SelectField label="Keep the old one valid?" value={overlap} options={overlaps} onValue={setOverlap} />
    </FormDialog>
  );
}

export function DeveloperRoleNotice() {
  return (
    <p class="notice">
      You need the developer role in this workspace to see tokens and secrets. Ask a workspace admin to change your
      role.
    </p>
  );
}
