import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import type { DeliveryStatus } from '../../../contract/deliveries/status.ts';
import { type Action, idempotencyKey, useAction } from '../../kit/calls.ts';
import { localTimeOf, parseLocalTime, pluralize } from '../../kit/format/format.ts';
import { ActionForm, TextField, useFields } from '../../kit/forms.tsx';
import { MultiSelect } from '../../kit/menus/multi-select.tsx';
import { Button, Panel } from '../../kit/parts.tsx';
import { type Desk, desk } from './desk.ts';
import { statusOptions } from './search-panel.tsx';

type ReplayInput = Schema<'StaffBulkReplayInput'>;

interface ReplayFields {
  readonly scope: string;
  readonly since: string;
  /** Empty for now. */
  readonly until: string;
  readonly statuses: readonly DeliveryStatus[];
}

/** What was counted is what starts. The key makes a retry of the start safe. */
interface Counted {
  readonly fields: ReplayFields;
  readonly body: ReplayInput;
  readonly key: string;
  readonly matched: number;
  readonly isCountComplete: boolean;
  readonly startedId: string | null;
}

const HOUR_MS = 3_600_000;

const lastHour = (): ReplayFields => ({
  scope: '',
  since: localTimeOf(new Date(Date.now() - HOUR_MS)),
  until: '',
  statuses: ['skipped'],
});

/** Counts first. The customer sees the replay and can stop it. */
export function BulkReplayPanel() {
  const { fields, bind, set } = useFields<ReplayFields>(lastHour);
  const [latest, setLatest] = useState<Counted | null>(null);
  const counted = latest?.fields === fields ? latest : null;
  const count = useAction(async () => {
    const opened = desk.peek();
    if (!opened) return;
    const since = parseLocalTime(fields.since);
    if (since === null) return;
    const until = parseLocalTime(fields.until) ?? new Date().toISOString();
    const { statuses, scope } = fields;
    const body = { scope: scope.trim(), since, until, statuses: [...statuses], reason: opened.reason };
    const { matched, isCountComplete } = await postReplay(opened, { body: { ...body, dryRun: true } });
    setLatest({ fields, body, key: idempotencyKey(), matched, isCountComplete, startedId: null });
  });
  const start = useAction(async () => {
    const opened = desk.peek();
    if (!opened || !counted) return;
    const { replayId } = await postReplay(opened, counted);
    setLatest({ ...counted, startedId: replayId });
  });
  return (
    <Panel title="Bulk replay">
      <ActionForm
        action={{ ...count, error: count.error ?? start.error }}
        submit="Count events"
        disabled={fields.statuses.length === 0}
      >
        <TextField
          label="Scope"
          hint="channel:ch_…, workspace:ws_… or organization:org_…"
          required
          pattern="\s*(channel|workspace|organization):\w+\s*"
          title="channel:, workspace: or organization: and an ID"
          spellcheck={false}
          {...bind('scope')}
        />
        <div class="fields-in-rows">
          <TextField label="Received since" type="datetime-local" required {...bind('since')} />
          <TextField label="Received before" hint="Empty means now." type="datetime-local" {...bind('until')} />
        </div>
        <div>
          <MultiSelect
            label="Status"
            options={statusOptions}
            values={fields.statuses}
            onValues={(statuses) => set({ statuses })}
          />
        </div>
      </ActionForm>
      {counted && <Outcome counted={counted} start={start} />}
    </Panel>
  );
}

async function postReplay(opened: Desk, { body, key }: { readonly body: ReplayInput; readonly key?: string }) {
  const params = { header: key === undefined ? {} : { 'Idempotency-Key': key } };
  return await opened.client.post('/staff/replays', { params, body });
}

interface OutcomeProps {
  readonly counted: Counted;
  readonly start: Action;
}

function Outcome({ counted: { matched, isCountComplete, startedId }, start }: OutcomeProps) {
  if (startedId !== null) {
    return (
      <p role="status">
        Started <code>{startedId}</code>. The customer can follow and stop it.
      </p>
    );
  }
  return (
    <p role="status">
      {isCountComplete ? '' : 'At least '}
      {pluralize(matched, 'event')} would be sent.{' '}
      <Button small busy={start.isBusy} disabled={matched === 0 && isCountComplete} onClick={() => start.run()}>
        Start replay
      </Button>
    </p>
  );
}
