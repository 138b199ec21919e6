import type { Schema } from '../../../client/create-client.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { secretLabels } from './secret-labels.ts';

export type Rotation = Schema<'RevealedRotation'>;

interface RotatedDialogProps {
  readonly rotations: readonly Rotation[];
  readonly onClose: () => void;
}

export function RotatedDialog({ rotations, onClose }: RotatedDialogProps) {
  return (
    <Dialog title="Rotated secrets" onClose={onClose} isWide>
      <div class="prose">
        <ul>
          {rotations.map((rotation) => (
            <li key={`${rotation.channelId} ${rotation.kind}`}>
              {secretLabels[rotation.kind]} of <code>{rotation.channelId}</code>: <Outcome rotation={rotation} />
            </li>
          ))}
        </ul>
      </div>
      <Button onClick={onClose}>Close</Button>
    </Dialog>
  );
}

function Outcome({ rotation: { status, endsAt, code } }: { readonly rotation: Rotation }) {
  switch (status) {
    case 'rotated':
    case 'ended':
      return endsAt === null ? (
        <>rotated; the old value no longer works.</>
      ) : (
        <>
          rotated; the old value expires <RelativeTime at={endsAt} />.
        </>
      );
    case 'needs_save':
      return <>not rotated. Save the webhook with a new verify token.</>;
    case 'failed':
      return <>not rotated ({code}). Rotate it on the channel page.</>;
  }
}
