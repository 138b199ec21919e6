import type { Schema } from '../../../client/create-client.ts';
import { type ChannelType, type EventType, eventTypes, fitsChannelType } from '../../../contract/event-types.ts';
import { useLoad, usePages } from '../../kit/calls.ts';
import { DoneDialog, useDialog } from '../../kit/dialogs.tsx';
import { SelectField } from '../../kit/forms.tsx';
import { JsonView } from '../../kit/json-view.tsx';
import { actionColumn, type Column, List } from '../../kit/lists.tsx';
import { Badge, CopyButton, Panel, RelativeTime } from '../../kit/parts.tsx';
import { api, apiIn } from '../../session/api.ts';
import { AttemptResponse } from '../deliveries/attempt-response.tsx';
import { requestCurl } from '../deliveries/sent-request.ts';

type TestEvent = Schema<'TestEvent'>;

interface TestTypeFieldProps {
  readonly channelType: ChannelType;
  readonly value: EventType;
  readonly onValue: (value: EventType) => void;
}

export function TestTypeField({ channelType, ...field }: TestTypeFieldProps) {
  const types = eventTypes.filter((eventType) => fitsChannelType(eventType, channelType));
  return <SelectField label="Event type" options={types.map((type) => [type, type] as const)} {...field} />;
}

/** Shows a test of now or of the past. */
export function TestResult({ result }: { readonly result: Schema<'DestinationTest'> | TestEvent }) {
  const { channelId: ch, deliveryId: wd, payload } = result;
  const { value } = useLoad(['test-requests', wd], () =>
    api.get('/channels/{ch}/test-events/{wd}/requests', { params: { path: { ch, wd } } }),
  );
  const request = value?.requests[0];
  return (
    <div class="side-by-side" role="group" aria-label="Test result">
      <section>
        <h3>Sent to {result.url}</h3>
        <JsonView text={payload} what="sample event" />
        {request && (
          <CopyButton text={requestCurl(api, { ...result, request })} what="request as a curl command">
            Copy as curl
          </CopyButton>
        )}
      </section>
      <section>
        <h3>Response</h3>
        {result.attempt ? <AttemptResponse attempt={result.attempt} /> : <p class="soft">It was not sent.</p>}
      </section>
    </div>
  );
}

interface PastTestsProps {
  readonly workspaceId: string;
  readonly channelId: string;
}

/** The tests of all destinations of the channel. */
export function PastTests({ workspaceId, channelId: ch }: PastTestsProps) {
  const dialog = useDialog();
  const pages = usePages(['testEvents', workspaceId, ch], (query) =>
    apiIn(workspaceId).get('/channels/{ch}/test-events', { params: { path: { ch }, query: { limit: 10, ...query } } }),
  );
  const show = (test: TestEvent) =>
    dialog.open((close) => (
      <DoneDialog title={`Test event ${test.deliveryId}`} isWide onClose={close}>
        <TestResult result={test} />
      </DoneDialog>
    ));
  return (
    <Panel title="Past tests">
      <List
        pages={pages}
        caption="Past tests"
        columns={[
          ...columns,
          actionColumn<TestEvent>(
            ({ deliveryId }) => deliveryId,
            (test) => [['Show', () => show(test)]],
          ),
        ]}
        keyOf={({ deliveryId }) => deliveryId}
        one="test"
        empty={<p>No tests yet. Tests of subscriptions appear here, too.</p>}
      />
      {dialog.shown}
    </Panel>
  );
}

const columns: readonly Column<TestEvent>[] = [
  { head: 'Sent', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { head: 'Event', cell: ({ eventType }) => <code>{eventType}</code> },
  { head: 'Destination', cell: ({ subscriptionId }) => subscriptionId ?? 'webhook' },
  { head: 'Response', cell: ({ attempt }) => <Response attempt={attempt} /> },
];

function Response({ attempt }: Pick<TestEvent, 'attempt'>) {
  if (!attempt) return <Badge tone="neutral">not sent</Badge>;
  const { outcome, status } = attempt;
  return <Badge tone={outcome === 'accepted' ? 'good' : 'bad'}>{status ?? outcome.replace('_', ' ')}</Badge>;
}
