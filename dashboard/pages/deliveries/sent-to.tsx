import type { Schema } from '../../../client/create-client.ts';
import { CopyButton } from '../../kit/copy-button.tsx';

type Delivery = Schema<'Delivery'>;

interface SentToProps {
  readonly delivery: Delivery;
  /** The chosen attempt. */
  readonly attempt: Delivery['attempts'][number] | undefined;
}

/** The address at that time. What is not recorded is said, and the present address is never shown as the past one. */
export function SentTo({ delivery, attempt }: SentToProps) {
  const { destination } = delivery;
  if (destination === null) return <>none</>;
  const present = destination.url;
  if (destination.type === 'listener') return <>read by its listener</>;
  const sent = attempt?.url ?? null;
  if (sent !== null) {
    return (
      <span class="sent-to">
        <span>
          <code>POST {sent}</code> <CopyButton text={sent} what="URL" />
        </span>
        {present !== null && present !== sent && (
          <small>
            The destination has another URL now: <code>{present}</code>
          </small>
        )}
      </span>
    );
  }
  return (
    <span class="sent-to">
      <span>{attempt === undefined ? 'Not sent yet' : unknownWords(delivery, attempt)}</span>
      {present !== null && (
        <small>
          The destination's URL now: <code>{present}</code>
        </small>
      )}
    </span>
  );
}

function unknownWords({ erasedAt, destination }: Delivery, attempt: NonNullable<SentToProps['attempt']>): string {
  if (attempt.outcome === 'blocked') return 'Nothing was sent';
  if (erasedAt !== null) return 'Erased';
  if (destination?.url === null) return 'Not shown here';
  return 'Unknown: the URL at that time was not recorded';
}
