import type { Schema } from '../../../client/create-client.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { secretWords } from './secret-words.ts';

export type Rotation = Schema<'RevealedRotation'>;

interface RotatedDialogProps {
  readonly rotations: readonly Rotation[];
  readonly onClose: () => void;
}

/** Says what came of each secret, and what is left to do. */
export function RotatedDialog({ rotations, onClose }: RotatedDialogProps) {
  return (
    <Dialog title="Rotated secrets" onClose={onClose} isWide>
      <div class="prose">
        <ul>
          {rotations.map((rotation) => (
            <li key={`${rotation.channelId} ${rotation.kind}`}>
              {secretWords[rotation.kind]} of <code>{rotation.channelId}</code>: <Outcome rotation={rotation} />
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
        <>replaced; the old one has ended.</>
      ) : (
        <>
          the old one ends <RelativeTime at={endsAt} />.
        </>
      );
    case 'needs_save':
      return <>save the webhook with another verify token.</>;
    case 'failed':
      return <>not rotated ({code}). Rotate it on the channel's page.</>;
  }
}
