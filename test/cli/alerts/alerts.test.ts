import test from 'ava';
import { anAlert } from '../../harness/deliveries/alerts.ts';
import { cliStage } from '../api-stage.ts';

test('alerts are listed, shown, muted, unmuted and acknowledged', async (t) => {
  const { cli, db, organization, workspace, ws } = await cliStage(t);
  const alr = await anAlert(db, { organizationId: organization.id, workspaceId: workspace.id, kind: 'replay.failed' });
  const { alerts, nextCursor } = await cli.json(`alerts list --status open --of-workspace ${ws}`);
  t.is(alerts[0].alertId, alr);
  t.is(nextCursor, null);
  t.deepEqual((await cli.json('alerts list --severity critical')).alerts, []);
  t.regex((await cli.run('alerts list')).stdout, /SEVERITY +STATUS[\s\S]*warning +open +replay\.failed/);
  t.regex((await cli.run(`alerts get ${alr}`)).stdout, /Title +A replay ended with failures/);
  t.truthy((await cli.json(`alerts mute ${alr} --for 12h`)).mutedUntil);
  t.regex(await cli.fails(2, `alerts mute ${alr} --for soon`), /Use 30m, 12h or 7d/);
  t.is((await cli.json(`alerts unmute ${alr}`)).mutedUntil, null);
  t.regex((await cli.run(`alerts acknowledge ${alr}`)).stdout, /is resolved/);
  t.regex(await cli.fails(1, 'alerts get alr_00000000'), /channels alerts list/);
});
