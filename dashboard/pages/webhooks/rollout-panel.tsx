import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import type { DefaultWebhookCalls } from '../../../client/default-webhooks.ts';
import type { RolloutOutcome, RolloutReason } from '../../../contract/webhooks/rollout.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { CopyableId } from '../../kit/copyable.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Checkbox } from '../../kit/forms/checkbox.tsx';
import { formatNumber } from '../../kit/format/pluralize.ts';
import { Pager } from '../../kit/lists/pager.tsx';
import { type Column, Table } from '../../kit/lists/table.tsx';
import { usePages } from '../../kit/lists/use-pages.ts';
import { Panel } from '../../kit/panel.tsx';
import { ProgressBar } from '../../kit/progress-bar.tsx';
import type { Tone } from '../../kit/tone.ts';
import { idempotencyKey } from '../../kit/calls/idempotency-key.ts';
import { useAction } from '../../kit/calls/use-action.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { useRefresh } from '../../kit/calls/use-refresh.ts';

type Rollout = Schema<'WebhookRollout'>;
type Result = Schema<'WebhookRolloutResult'>;

const REFRESH_MS = 1_000;

interface RolloutPanelProps {
  readonly calls: DefaultWebhookCalls;
  readonly owner: string;
}

/** Applies the default webhook, and shows the latest rollout. */
export function RolloutPanel({ calls, owner }: RolloutPanelProps) {
  const [replaceOwn, setReplaceOwn] = useState(false);
  const latest = useLoad(async () => {
    const { rollouts } = await calls.list({ limit: 20 });
    return rollouts.find(({ trigger }) => trigger === 'requested') ?? null;
  }, [owner]);
  const apply = useAction(async (dryRun: boolean) => {
    await calls.apply({ dryRun, replaceOwn }, { 'Idempotency-Key': idempotencyKey() });
    await latest.reload();
  });
  const rollout = latest.value;
  const isRunning = rollout?.status === 'running';
  useRefresh(() => void latest.reload(), isRunning ? REFRESH_MS : null);
  return (
    <Panel title="Apply to existing channels">
      <p>Each channel is probed and saved by itself. A dry run only shows what would happen.</p>
      <Checkbox
        label="Replace the webhooks that channels have of their own"
        isChecked={replaceOwn}
        onChecked={setReplaceOwn}
      />
      <div class="form-actions">
        <Button busy={apply.isBusy} disabled={isRunning} onClick={() => void apply.run(true)}>
          Dry run
        </Button>
        <Button tone="primary" busy={apply.isBusy} disabled={isRunning} onClick={() => void apply.run(false)}>
          Apply
        </Button>
      </div>
      <ErrorBox error={apply.error ?? latest.error} />
      {rollout && <LatestRollout key={rollout.rolloutId} calls={calls} rollout={rollout} onChanged={latest.reload} />}
    </Panel>
  );
}

interface LatestRolloutProps {
  readonly calls: DefaultWebhookCalls;
  readonly rollout: Rollout;
  readonly onChanged: () => Promise<void>;
}

function LatestRollout({ calls, rollout, onChanged }: LatestRolloutProps) {
  const { rolloutId, status, dryRun, total, applied, unchanged, skipped, failed } = rollout;
  const doneCount = applied + unchanged + skipped + failed;
  const cancel = useAction(async () => {
    await calls.cancel(rolloutId);
    await onChanged();
  });
  const pages = usePages<Result>(
    async (cursor) => {
      const { results, nextCursor } = await calls.results(rolloutId, { limit: 20, ...(cursor && { cursor }) });
      return { items: results, nextCursor };
    },
    [rolloutId, status],
  );
  const counts = `${applied} ${dryRun ? 'would be applied' : 'applied'}, ${unchanged} unchanged, ${skipped} skipped, ${failed} failed`;
  return (
    <>
      <h3>Latest {dryRun ? 'dry run' : 'rollout'}</h3>
      <p class="under-title">
        <Badge tone={statusTones[status]}>{status}</Badge> <CopyableId id={rolloutId} what="rollout ID" />
      </p>
      <ProgressBar label="Progress of the rollout" value={doneCount} max={Math.max(total, doneCount)} />
      <p class="progress-text" role="status">
        {formatNumber(doneCount)} of {formatNumber(Math.max(total, doneCount))} channels: {counts}.
      </p>
      {status === 'running' && (
        <Button small tone="danger" busy={cancel.isBusy} onClick={() => void cancel.run()}>
          Cancel rollout
        </Button>
      )}
      <ErrorBox error={cancel.error} />
      {pages.items && pages.items.length > 0 && (
        <Table
          caption="Channels of the rollout"
          columns={columns}
          rows={pages.items}
          keyOf={({ channelId }) => channelId}
        />
      )}
      <Pager pages={pages} one="channel" many="channels" />
    </>
  );
}

const statusTones: Readonly<Record<Rollout['status'], Tone>> = {
  running: 'info',
  completed: 'good',
  cancelled: 'neutral',
};
const outcomeTones: Readonly<Record<RolloutOutcome, Tone>> = {
  applied: 'good',
  unchanged: 'neutral',
  skipped: 'neutral',
  failed: 'bad',
};

const reasonTexts: Readonly<Record<RolloutReason, string>> = {
  own_webhook: 'It has a webhook of its own.',
  workspace_default: 'Its workspace has its own default.',
  webhook_changed: 'Its webhook was changed at the same time.',
  default_changed: 'The default was changed or cleared.',
  channel_disconnected: 'It was disconnected.',
  channel_moved: 'It was moved to another workspace.',
  verification_failed: 'The URL failed a probe.',
  url_not_allowed: 'The URL is not allowed.',
  save_unanswered: 'The save did not end in time.',
};

const columns: readonly Column<Result>[] = [
  { head: 'Channel', cell: ({ displayName }) => displayName ?? '(moved)' },
  { head: 'Outcome', cell: ({ outcome }) => <Badge tone={outcomeTones[outcome]}>{outcome}</Badge> },
  {
    head: 'Reason',
    isWide: true,
    cell: ({ reason, detail }) => detail ?? (reason === null ? '–' : reasonTexts[reason]),
  },
];
