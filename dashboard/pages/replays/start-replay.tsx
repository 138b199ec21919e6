import { useState } from 'preact/hooks';
import type { ApiClient, Schema } from '../../../client/create-client.ts';
import { Button } from '../../kit/button.tsx';
import { pluralize, formatNumber } from '../../kit/format/pluralize.ts';
import { formatDuration } from '../../kit/format/format-duration.ts';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Panel } from '../../kit/panel.tsx';
import { idempotencyKey } from '../../kit/calls/idempotency-key.ts';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import type { replayBodyOf } from './replay-plan.ts';

export type ReplayCount = Pick<Schema<'ReplayStarted'>, 'matched' | 'isCountComplete'>;

interface StartReplayProps {
  readonly body: ReturnType<typeof replayBodyOf>;
  readonly counted: ReplayCount;
  readonly client: ApiClient;
  readonly onStarted: (replayId: string) => void;
}

export function StartReplay({ body, counted, client, onStarted }: StartReplayProps) {
  const [key] = useState(idempotencyKey);
  const start = useAction(async () => {
    const params = { header: { 'Idempotency-Key': key } };
    const { replayId } = await client.post('/replays', { params, body });
    toast('Replay started.');
    if (replayId !== null) onStarted(replayId);
  });
  const { matched, isCountComplete } = counted;
  const isNothing = matched === 0 && isCountComplete;
  const events = isCountComplete ? pluralize(matched, 'event') : `at least ${pluralize(matched, 'event')}`;
  const durationAtRate = formatDuration((matched / body.ratePerSecond) * 1_000);
  return (
    <Panel title="2. Start replay">
      <p role="status">
        {isNothing
          ? 'No matching events. Change the filters and count again.'
          : `${events} would be sent in ${durationAtRate} at ${formatNumber(body.ratePerSecond)} per second.`}
      </p>
      <ErrorBox error={start.error} />
      <Button tone="primary" busy={start.isBusy} disabled={isNothing} onClick={() => void start.run()}>
        {isNothing ? 'Start replay' : `Replay ${events}`}
      </Button>
    </Panel>
  );
}
