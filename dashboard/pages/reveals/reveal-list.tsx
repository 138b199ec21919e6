import type { Schema } from '../../../client/create-client.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { secretLabels } from './secret-labels.ts';

export type Reveal = Schema<'SecretReveal'>;

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
