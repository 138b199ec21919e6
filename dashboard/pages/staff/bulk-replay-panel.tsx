import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { idempotencyKey } from '../../kit/calls/idempotency-key.ts';
import { type Action, useAction } from '../../kit/calls/use-action.ts';
import { SelectField, TextField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { pluralize } from '../../kit/format/pluralize.ts';
import { Panel } from '../../kit/panel.tsx';
import { desk } from './desk.ts';

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

/** Counts first. The customer sees the replay and can stop it. */
export function BulkReplayPanel() {
  const [scope, setScope] = useState('');
  const [hours, setHours] = useState<(typeof spans)[number][0]>('1');
  const [status, setStatus] = useState<(typeof statuses)[number][0]>('skipped');
  const [matched, setMatched] = useState<number | null>(null);
  const [started, setStarted] = useState<string | null>(null);
  const send = async (dryRun: boolean) => {
    const opened = desk.peek();
    if (!opened) return;
    const nowMs = Date.now();
    const since = new Date(nowMs - Number(hours) * 3_600_000).toISOString();
    const span = { since, until: new Date(nowMs).toISOString() };
    const body = { scope: scope.trim(), ...span, statuses: [status], dryRun, reason: opened.reason };
    const params = { header: { 'Idempotency-Key': idempotencyKey() } };
    const answer = await opened.client.post('/staff/replays', { params, body });
    setMatched(answer.matched);
    setStarted(answer.replayId);
  };
  const count = useAction(() => send(true));
  const start = useAction(() => send(false));
  return (
    <Panel title="Bulk replay">
      <Form action={{ ...count, error: count.error ?? start.error }} submit="Count events">
        <TextField
          label="Scope"
          hint="channel:ch_…, workspace:ws_… or organization:org_…"
          required
          pattern="\s*(channel|workspace|organization):\w+\s*"
          title="channel:, workspace: or organization: and an ID"
          spellcheck={false}
          value={scope}
          onValue={setScope}
        />
        <SelectField label="Received in" value={hours} options={spans} onValue={setHours} />
        <SelectField label="Status" value={status} options={statuses} onValue={setStatus} />
      </Form>
      <Outcome matched={matched} started={started} start={start} />
    </Panel>
  );
}

interface OutcomeProps {
  readonly matched: number | null;
  readonly started: string | null;
  readonly start: Action<[]>;
}

function Outcome({ matched, started, start }: OutcomeProps) {
  if (matched === null) return null;
  if (started !== null) {
    return (
      <p role="status">
        Started <code>{started}</code>. The customer can follow and stop it.
      </p>
    );
  }
  return (
    <p role="status">
      {pluralize(matched, 'event')} would be sent.{' '}
      <Button small busy={start.isBusy} disabled={matched === 0} onClick={() => void start.run()}>
        Start replay
      </Button>
    </p>
  );
}
