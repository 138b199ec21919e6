import test from 'ava';
import { acceptItems } from '../../../db/ledger/accept.ts';
import { anItem, aWebhookDestination, hotLedger } from '../../harness/deliveries/hot-ledger.ts';

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Node Type': string;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const oneKey = /channel_id = .*key = /;
const conditions = {
  channels: /resource_id = /,
  destinations: /channel_id = /,
  event_keys: oneKey,
  event_keys_1: oneKey,
  event_keys_2: oneKey,
};

/**
 * A connection keeps its plan, and statistics may be outdated. With a thousand channels, a plan that reads them all for
 * each item takes seconds for 8,000 items. A plan that merges the items with all keys reads them for every batch.
 */
test('accepting items reads channels, destinations and keys by index only', async (t) => {
  const ledger = await hotLedger(t, { isNew: true });
  await aWebhookDestination(ledger, ledger.channel);
  const connection = ledger.anotherPool(1); // explains the prepared statement of the same connection
  await acceptItems(connection, [anItem()]);
  const { rows: prepared } = await connection.query<{ statement: string }>(
    "select statement from pg_prepared_statements where name = 'accept-items'",
  );
  const { rows } = await connection.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (generic_plan, format json) ${prepared[0]!.statement}`,
  );
  const scans = nodesOf(rows[0]!['QUERY PLAN'][0].Plan).filter((node) => node['Node Type'].includes('Scan'));
  for (const [table, condition] of Object.entries(conditions)) {
    const of = scans.filter((node) => node['Relation Name'] === table);
    t.true(of.length > 0, `${table} is read`);
    for (const scan of of) t.regex(scan['Index Cond'] ?? '', condition, `${table}: ${JSON.stringify(scan)}`);
  }
});
