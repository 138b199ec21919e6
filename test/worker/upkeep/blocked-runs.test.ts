import test from 'ava';
import { createReplaceBlocked } from '../../../worker/upkeep/blocked-runs.ts';
import { eventually } from '../../harness/eventually.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

test('a run whose workflow tasks fail is reported and ended', async (t) => {
  const { client, start } = await temporalHarness(t, {}, { queues: {} });
  const log = rememberingLog();
  const replaceLater = createReplaceBlocked({ client, log, graceMs: 600_000 });
  const replaceSoon = createReplaceBlocked({ client, log: rememberingLog(), graceMs: 0 });
  // Neither type reads its input, which fails the workflow task rather than the workflow.
  const stuck = await start('replayDeliveries', { args: [null] });
  const foreign = await start('rotateToken', { args: [null] });
  await eventually(async () => (await replaceLater(), log.lines.length > 0));
  t.like(log.lines, [{ event: 'workflow.blocked', workflowId: stuck.workflowId, type: 'replayDeliveries' }]);
  await replaceLater();
  t.is(log.lines.length, 1, 'it is reported once, and left alone meanwhile');
  await eventually(async () => (await replaceSoon(), (await stuck.describe()).status.name === 'TERMINATED'));
  t.is((await foreign.describe()).status.name, 'RUNNING');
});
