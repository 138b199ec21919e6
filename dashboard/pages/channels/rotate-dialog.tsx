import { useState } from 'preact/hooks';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { SelectField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { idempotencyKey } from '../../kit/calls/idempotency-key.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { SecretDialog } from '../../kit/dialogs/secret-dialog.tsx';
import { useAction } from '../../kit/calls/use-action.ts';

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

export interface RotateDialogProps {
  readonly title: string;
  readonly about: string;
  readonly submit: string;
  readonly defaultOverlap: Overlap;
  readonly rotate: (overlapSeconds: number, key: string) => Promise<Rotated>;
  readonly onClose: () => void;
}

export function RotateDialog({ title, about, submit, defaultOverlap, rotate, onClose }: RotateDialogProps) {
  const [overlap, setOverlap] = useState<Overlap>(defaultOverlap);
  const [key] = useState(idempotencyKey);
  const [rotated, setRotated] = useState<Rotated | null>(null);
  const action = useAction(async () => setRotated(await rotate(Number(overlap), `${key}-${overlap}`)));
  if (rotated) {
    const { secret, previousExpiresAt } = rotated;
    const title = 'Rotation complete';
    return (
      <SecretDialog key="rotated" title={title} secret={secret} what="new secret" onClose={onClose}>
        {previousExpiresAt === null ? (
          'Update your programs now: the old one no longer works.'
        ) : (
          <>
            Update your programs. The old one expires <RelativeTime at={previousExpiresAt} />.
          </>
        )}
      </SecretDialog>
    );
  }
  return (
    <Dialog key="asking" title={title} onClose={onClose}>
      <Form action={action} submit={submit} onCancel={onClose}>
        <p>{about}</p>
        <SelectField label="Keep the old one valid?" value={overlap} options={overlaps} onValue={setOverlap} />
      </Form>
    </Dialog>
  );
}
