import { useState } from 'preact/hooks';
import type { ApiClient } from '../../../client/create-client.ts';
import { Button } from '../../kit/button.tsx';
import { counted, numberText } from '../../kit/texts/counted.ts';
import { durationText } from '../../kit/texts/duration-text.ts';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Panel } from '../../kit/facts.tsx';
import { idempotencyKey } from '../../kit/calls/idempotency-key.ts';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import type { replayBodyOf } from './replay-plan.ts';

interface StartReplayProps {
  readonly body: ReturnType<typeof replayBodyOf>;
  /** What the dry run has counted. */
  readonly matched: number;
  readonly client: ApiClient;
  readonly onStarted: (replayId: string) => void;
}

/** What the dry run found, and the button that begins. */
export function StartReplay({ body, matched, client, onStarted }: StartReplayProps) {
  const [key] = useState(idempotencyKey);
  const start = useAction(async () => {
    const params = { header: { 'Idempotency-Key': key } };
    const { replayId } = await client.post('/replays', { params, body });
    toast('The replay has begun.');
    if (replayId !== null) onStarted(replayId);
  });
  const takes = durationText((matched / body.ratePerSecond) * 1_000);
  return (
    <Panel title="2. Start">
      <p role="status">
        {matched === 0
          ? 'No event matches: nothing would be sent.'
          : `${counted(matched, 'event')} would be sent, in ${takes} at ${numberText(body.ratePerSecond)} a second.`}
      </p>
      <ErrorBox error={start.error} />
      <Button tone="primary" busy={start.isBusy} disabled={matched === 0} onClick={() => void start.run()}>
        {matched === 0 ? 'Start' : `Send ${counted(matched, 'event')} again`}
      </Button>
    </Panel>
  );
}
