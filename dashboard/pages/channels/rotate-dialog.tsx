import { useState } from 'preact/hooks';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { SelectField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { idempotencyKey } from '../../kit/calls/idempotency-key.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { SecretDialog } from '../../kit/dialogs/secret-dialog.tsx';
import { useAction } from '../../kit/calls/use-action.ts';

const overlaps = [
  ['0', 'No: it ends at once'],
  ['3600', 'For an hour'],
  ['86400', 'For a day'],
  ['604800', 'For a week'],
] as const;
type Overlap = (typeof overlaps)[number][0];

interface Rotated {
  readonly secret: string;
  readonly previousExpiresAt: string | null;
}

export interface RotateDialogProps {
  readonly title: string;
  /** What the overlap is good for. */
  readonly about: string;
  readonly standard: Overlap;
  readonly rotate: (overlapSeconds: number, key: string) => Promise<Rotated>;
  readonly onClose: () => void;
}

/** Asks how long the old secret goes on, then shows the new one. */
export function RotateDialog({ title, about, standard, rotate, onClose }: RotateDialogProps) {
  const [overlap, setOverlap] = useState<Overlap>(standard);
  const [key] = useState(idempotencyKey);
  const [rotated, setRotated] = useState<Rotated | null>(null);
  const action = useAction(async () => setRotated(await rotate(Number(overlap), `${key}-${overlap}`)));
  if (rotated) {
    const { secret, previousExpiresAt } = rotated;
    const title = 'The new one is good from now on';
    return (
      <SecretDialog key="rotated" title={title} secret={secret} what="the new secret" onClose={onClose}>
        {previousExpiresAt === null ? (
          'The one before has ended.'
        ) : (
          <>
            The one before ends <RelativeTime at={previousExpiresAt} />.
          </>
        )}
      </SecretDialog>
    );
  }
  return (
    <Dialog key="asking" title={title} onClose={onClose}>
      <Form action={action} submit="Rotate" onCancel={onClose}>
        <p>{about}</p>
        <SelectField label="Does the old one go on?" value={overlap} options={overlaps} onValue={setOverlap} />
      </Form>
    </Dialog>
  );
}
