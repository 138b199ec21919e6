import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import type { DefaultWebhookCalls } from '../../../client/default-webhooks.ts';
import type { RolloutOutcome, RolloutReason } from '../../../contract/webhooks/rollout.ts';
import { idempotencyKey, useAction, useLoad, usePages } from '../../kit/calls.ts';
import { formatNumber } from '../../kit/format/format.ts';
import { Checkbox } from '../../kit/forms.tsx';
import { type Column, Pager, Table } from '../../kit/lists.tsx';
import { Badge, Button, CopyableId, ErrorBox, Panel, ProgressBar } from '../../kit/parts.tsx';
import type { Tone } from '../../kit/tone.ts';

type Rollout = Schema<'WebhookRollout'>;

const REFRESH_MS = 1_000;

interface RolloutPanelProps {
  readonly calls: DefaultWebhookCalls;
  readonly owner: string;
}

/** Applies the default webhook, and shows the latest rollout. */
export function RolloutPanel({ calls, owner }: RolloutPanelProps) {
  const [replaceOwn, setReplaceOwn] = useState(false);
  const load = async () => {
    const { rollouts } = await calls.list({ limit: 20 });
    return rollouts.find(({ trigger }) => trigger === 'requested') ?? null;
  };
  const isRunning = (rollout: Rollout | null): boolean => rollout?.status === 'running';
  const { value: rollout, error } = useLoad(['rollout', owner], load, {
    everyMs: (latest) => isRunning(latest) && REFRESH_MS,
  });
  const apply = useAction((dryRun: boolean) =>
    calls.apply({ dryRun, replaceOwn }, { 'Idempotency-Key': idempotencyKey() }),
  );
  const button = { busy: apply.isBusy, disabled: isRunning(rollout) };
  return (
    <Panel title="Apply to existing channels">
      <p>Each channel is probed and saved by itself. A dry run only shows what would happen.</p>
      <Checkbox
        label="Replace the webhooks that channels have of their own"
        value={replaceOwn}
        onValue={setReplaceOwn}
      />
      <div class="form-actions">
        <Button {...button} onClick={() => apply.run(true)}>
          Dry run
        </Button>
        <Button {...button} tone="primary" onClick={() => apply.run(false)}>
          Apply
        </Button>
      </div>
      <ErrorBox error={apply.error ?? error} />
      {rollout && <LatestRollout key={rollout.rolloutId} calls={calls} rollout={rollout} />}
    </Panel>
  );
}

interface LatestRolloutProps {
  readonly calls: DefaultWebhookCalls;
  readonly rollout: Rollout;
}

function LatestRollout({ calls, rollout }: LatestRolloutProps) {
  const { rolloutId, status, dryRun, total, applied, unchanged, skipped, failed } = rollout;
  const doneCount = applied + unchanged + skipped + failed;
  const cancel = useAction(() => calls.cancel(rolloutId));
  const pages = usePages(['results', rolloutId, status], (query) => calls.results(rolloutId, { limit: 20, ...query }));
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
        <Button small tone="danger" busy={cancel.isBusy} onClick={() => cancel.run()}>
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
      <Pager pages={pages} one="channel" />
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

const columns: readonly Column<Schema<'WebhookRolloutResult'>>[] = [
  { head: 'Channel', cell: ({ displayName }) => displayName ?? '(moved)' },
  { head: 'Outcome', cell: ({ outcome }) => <Badge tone={outcomeTones[outcome]}>{outcome}</Badge> },
  {
    head: 'Reason',
    isWide: true,
    cell: ({ reason, detail }) => detail ?? (reason === null ? '–' : reasonTexts[reason]),
  },
];
