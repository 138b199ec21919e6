import type { Schema } from '../../../client/create-client.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { secretWords } from './secret-words.ts';

export type Reveal = Schema<'SecretReveal'>;

/** Present secrets that somebody has read. */
export function RevealList({ reveals }: { readonly reveals: readonly Reveal[] }) {
  if (reveals.length === 0) return null;
  return (
    <div class="prose">
      <p>Secrets that were read and are still valid:</p>
      <ul>
        {reveals.map(({ channelId, displayName, kind, revealedTo, lastRevealedAt }) => (
          <li key={`${channelId} ${kind} ${revealedTo}`}>
            {secretWords[kind]} of {displayName} <code>{channelId}</code>, <RelativeTime at={lastRevealedAt} />
          </li>
        ))}
      </ul>
    </div>
  );
}
