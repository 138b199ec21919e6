import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { List } from '../../kit/lists/list.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { usePages } from '../../kit/lists/use-pages.ts';
import { Panel } from '../../kit/panel.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { apiIn } from '../../session/api.ts';
import { TestResult } from './test-result.tsx';

type TestEvent = Schema<'TestEvent'>;

interface PastTestsProps {
  readonly workspaceId: string;
  readonly channelId: string;
  /** The newest test; the list is read again when it changes. */
  readonly latestId: string | null;
}

/** The tests of all destinations of the channel. */
export function PastTests({ workspaceId, channelId: ch, latestId }: PastTestsProps) {
  const [shown, setShown] = useState<TestEvent | null>(null);
  const pages = usePages<TestEvent>(
    async (cursor) => {
      const query = { limit: 10, ...(cursor !== undefined && { cursor }) };
      const page = await apiIn(workspaceId).get('/channels/{ch}/test-events', { params: { path: { ch }, query } });
      return { items: page.testEvents, nextCursor: page.nextCursor };
    },
    [workspaceId, ch, latestId],
  );
  return (
    <Panel title="Past tests">
      <List
        pages={pages}
        caption="Past tests"
        columns={columnsFor(setShown)}
        keyOf={({ deliveryId }) => deliveryId}
        one="test"
        many="tests"
        empty={<p>No tests yet. Tests of subscriptions appear here, too.</p>}
      />
      {shown && (
        <Dialog title={`Test event ${shown.deliveryId}`} isWide onClose={() => setShown(null)}>
          <TestResult result={shown} />
          <div class="form-actions">
            <Button tone="primary" onClick={() => setShown(null)}>
              Done
            </Button>
          </div>
        </Dialog>
      )}
    </Panel>
  );
}

const columnsFor = (onShow: (test: TestEvent) => void): readonly Column<TestEvent>[] => [
  { head: 'Sent', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { head: 'Event', cell: ({ eventType }) => <code>{eventType}</code> },
  { head: 'Destination', cell: ({ subscriptionId }) => subscriptionId ?? 'webhook' },
  { head: 'Response', cell: ({ attempt }) => <Response attempt={attempt} /> },
  {
    head: 'Actions',
    isHeadHidden: true,
    align: 'end',
    cell: (test) => (
      <Button small tone="quiet" aria-label={`Show ${test.deliveryId}`} onClick={() => onShow(test)}>
        Show
      </Button>
    ),
  },
];

function Response({ attempt }: Pick<TestEvent, 'attempt'>) {
  if (!attempt) return <Badge tone="neutral">not sent</Badge>;
  const { outcome, status } = attempt;
  return <Badge tone={outcome === 'accepted' ? 'good' : 'bad'}>{status ?? outcome.replace('_', ' ')}</Badge>;
}
