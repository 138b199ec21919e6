import type { Schema } from '../../../client/create-client.ts';
import { Dialog } from '../../kit/dialogs.tsx';
import { Button, RelativeTime } from '../../kit/parts.tsx';

export type Reveal = Schema<'SecretReveal'>;
export type Rotation = Schema<'RevealedRotation'>;

const secretLabels: Readonly<Record<Reveal['kind'], string>> = {
  token: 'Channel token',
  webhook_secret: 'Signing secret',
  verify_token: 'Verify token',
};

export function RevealList({ reveals }: { readonly reveals: readonly Reveal[] }) {
  if (reveals.length === 0) return null;
  return (
    <div class="prose">
      <p>Revealed secrets that are still valid:</p>
      <ul>
        {reveals.map(({ channelId, displayName, kind, revealedTo, lastRevealedAt }) => (
          <li key={`${channelId} ${kind} ${revealedTo}`}>
            {secretLabels[kind]} of {displayName} <code>{channelId}</code>, <RelativeTime at={lastRevealedAt} />
          </li>
        ))}
      </ul>
    </div>
  );
}

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
