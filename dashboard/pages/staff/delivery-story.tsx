import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { idempotencyKey, useAction, useLoad } from '../../kit/calls.ts';
import { Dialog } from '../../kit/dialogs.tsx';
import { JsonView } from '../../kit/json-view.tsx';
import { Badge, Button, ErrorBox, Loading } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { AttemptResponse } from '../deliveries/attempt-response.tsx';
import { statusTones, waitingReason } from '../deliveries/delivery-note.ts';
import { DeliveryTimeline } from '../deliveries/delivery-timeline.tsx';
import { describeOutcome } from '../deliveries/timeline.ts';
import type { Desk } from './desk.ts';

type Delivery = Schema<'StaffDelivery'>;

interface DeliveryStoryProps {
  readonly deliveryId: string;
  readonly opened: Desk;
  readonly onClose: () => void;
}

interface Retried {
  readonly attemptCount: number;
  readonly atMs: number;
}

const FIRST_POLL_MS = 2_000;

export function DeliveryStory({ deliveryId: wd, opened, onClose }: DeliveryStoryProps) {
  const { client, reason } = opened;
  const [retried, setRetried] = useState<Retried | null>(null);
  /** Ever later, because the audit log of the organization records each read. */
  const nextReadMs = (delivery: Delivery) =>
    retried?.attemptCount === delivery.attemptCount && Math.max(FIRST_POLL_MS, Date.now() - retried.atMs);
  const story = useLoad(
    ['staff-delivery', wd],
    () => client.get('/staff/deliveries/{wd}', { params: { path: { wd }, query: { reason } } }),
    { everyMs: nextReadMs },
  );
  const attemptCount = story.value?.attemptCount ?? 0;
  const retry = useAction(async () => {
    // Attempts since the last reading are not the outcome of this one.
    const before = await client.get('/staff/deliveries/{wd}', { params: { path: { wd }, query: { reason } } });
    await client.post('/staff/deliveries/{wd}/retry', { params: { path: { wd } }, body: { reason } });
    setRetried({ attemptCount: before.attemptCount, atMs: Date.now() });
  });
  const [key, setKey] = useState(idempotencyKey);
  const replay = useAction(async () => {
    const params = { path: { wd }, header: { 'Idempotency-Key': key } };
    const made = await client.post('/staff/deliveries/{wd}/replay', { params, body: { reason } });
    setKey(idempotencyKey()); // the next click is another replay
    toast(`Replayed as ${made.deliveryId}.`);
  });
  return (
    <Dialog title={`Delivery ${wd}`} isWide onClose={onClose}>
      <ErrorBox error={story.error ?? retry.error ?? replay.error} />
      {!story.value && !story.error && <Loading />}
      {story.value && retried && <p role="status">{describeRetry(story.value, retried)}</p>}
      {story.value && <Story key={attemptCount} delivery={story.value} />}
      <div class="form-actions">
        <Button tone="primary" busy={retry.isBusy} onClick={() => retry.run()}>
          Retry
        </Button>
        <Button busy={replay.isBusy} onClick={() => replay.run()}>
          Replay
        </Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

function describeRetry(delivery: Delivery, retried: Retried): string {
  const last = delivery.attempts.at(-1);
  if (last && delivery.attemptCount > retried.attemptCount) {
    return `Retried. Attempt ${last.number}: ${describeOutcome(last)}.`;
  }
  return ['Retried. The attempt has not ended yet.', waitingReason(delivery, new Date())].filter(Boolean).join(' ');
}

function Story({ delivery }: { readonly delivery: Delivery }) {
  const { attempts, payload, status, organizationName, temporalUrl } = delivery;
  const [number, setNumber] = useState<number | null>(null);
  const chosen = attempts.find((one) => one.number === number) ?? attempts.at(-1);
  return (
    <>
      <p>
        <Badge tone={statusTones[status]}>{status}</Badge> {organizationName}{' '}
        {temporalUrl !== null && <a href={temporalUrl}>Workflow</a>}
      </p>
      <DeliveryTimeline delivery={delivery} chosen={chosen?.number} onChoose={setNumber} />
      <div class="side-by-side">
        <section>
          <h3>Payload</h3>
          <JsonView text={payload} what="payload" />
        </section>
        <section>
          <h3>Response</h3>
          {chosen ? <AttemptResponse attempt={chosen} /> : <p class="soft">No attempts yet.</p>}
        </section>
      </div>
    </>
  );
}
