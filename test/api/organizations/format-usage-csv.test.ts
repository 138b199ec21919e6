import test from 'ava';
import { formatUsageCsv } from '../../../api/organizations/usage-routes.ts';

test('a large file of usage is written in slices', async (t) => {
  let turns = 0;
  const row = { day: '2026-01-31', workspaceId: null, channelId: null, events: 1, deliveries: 2 };
  const rows = Array.from({ length: 10_000 }, () => ({ ...row, attempts: 3, sends: 4, publishes: 5 }));
  const bytes = await formatUsageCsv(rows, () => Promise.resolve(void turns++));
  t.is(bytes.toString().split('\r\n').length, 10_002);
  t.true(turns >= 10, `${turns} slices`);
});
