import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { type Action, idempotencyKey, useAction } from '../../kit/calls.ts';
import { pluralize } from '../../kit/format/format.ts';
import { ActionForm, SelectField, TextField, useFields } from '../../kit/forms.tsx';
import { Button, Panel } from '../../kit/parts.tsx';
import { type Desk, desk } from './desk.ts';

const spans = [
  ['1', 'The last hour'],
  ['24', 'The last day'],
  ['72', 'The last three days'],
] as const;
const statuses = [
  ['skipped', 'Skipped'],
  ['exhausted', 'Exhausted'],
  ['cancelled', 'Cancelled'],
] as const;

type ReplayInput = Schema<'StaffBulkReplayInput'>;

interface ReplayFields {
  readonly scope: string;
  readonly hours: (typeof spans)[number][0];
  readonly status: (typeof statuses)[number][0];
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

/** Counts first. The customer sees the replay and can stop it. */
export function BulkReplayPanel() {
  const { fields, bind } = useFields<ReplayFields>({ scope: '', hours: '1', status: 'skipped' });
  const [latest, setLatest] = useState<Counted | null>(null);
  const counted = latest?.fields === fields ? latest : null;
  const count = useAction(async () => {
    const opened = desk.peek();
    if (!opened) return;
    const nowMs = Date.now();
    const since = new Date(nowMs - Number(fields.hours) * 3_600_000).toISOString();
    const span = { since, until: new Date(nowMs).toISOString() };
    const body = { scope: fields.scope.trim(), ...span, statuses: [fields.status], reason: opened.reason };
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
      <ActionForm action={{ ...count, error: count.error ?? start.error }} submit="Count events">
        <TextField
          label="Scope"
          hint="channel:ch_…, workspace:ws_… or organization:org_…"
          required
          pattern="\s*(channel|workspace|organization):\w+\s*"
          title="channel:, workspace: or organization: and an ID"
          spellcheck={false}
          {...bind('scope')}
        />
        <SelectField label="Received in" options={spans} {...bind('hours')} />
        <SelectField label="Status" options={statuses} {...bind('status')} />
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
