import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { idempotencyKey } from '../../kit/calls/idempotency-key.ts';
import { useAction } from '../../kit/calls/use-action.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { JsonView } from '../../kit/json-view.tsx';
import { Loading } from '../../kit/lists/list.tsx';
import { toast } from '../../kit/toast.tsx';
import { AttemptResponse } from '../deliveries/attempt-response.tsx';
import { DeliveryTimeline } from '../deliveries/timeline/delivery-timeline.tsx';
import { statusTones } from '../deliveries/delivery-note.ts';
import type { Desk } from './desk.ts';

interface DeliveryStoryProps {
  readonly deliveryId: string;
  readonly opened: Desk;
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}

export function DeliveryStory({ deliveryId: wd, opened, onChanged, onClose }: DeliveryStoryProps) {
  const { client, reason } = opened;
  const story = useLoad(
    () => client.get('/staff/deliveries/{wd}', { params: { path: { wd }, query: { reason } } }),
    [wd],
  );
  const changed = async () => {
    await Promise.all([story.reload(), onChanged()]);
  };
  const retry = useAction(async () => {
    await client.post('/staff/deliveries/{wd}/retry', { params: { path: { wd } }, body: { reason } });
    toast('Retried.');
    await changed();
  });
  const [key, setKey] = useState(idempotencyKey);
  const replay = useAction(async () => {
    const params = { path: { wd }, header: { 'Idempotency-Key': key } };
    const made = await client.post('/staff/deliveries/{wd}/replay', { params, body: { reason } });
    setKey(idempotencyKey()); // the next click is another replay
    toast(`Replayed as ${made.deliveryId}.`);
    await changed();
  });
  return (
    <Dialog title={`Delivery ${wd}`} isWide onClose={onClose}>
      <ErrorBox error={story.error ?? retry.error ?? replay.error} />
      {!story.value && !story.error && <Loading />}
      {story.value && <Story delivery={story.value} />}
      <div class="form-actions">
        <Button tone="primary" busy={retry.isBusy} onClick={() => void retry.run()}>
          Retry
        </Button>
        <Button busy={replay.isBusy} onClick={() => void replay.run()}>
          Replay
        </Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

function Story({ delivery }: { readonly delivery: Schema<'StaffDelivery'> }) {
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
