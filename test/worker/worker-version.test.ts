import test from 'ava';
import { Client, Connection } from '@temporalio/client';
import { setCurrentVersion } from '../../workflow-starts/worker-deployments.ts';
import { chooseVersion } from '../../worker/worker-version.ts';
import { workerBuildId } from '../../worker/workflow-bundle.ts';
import { rememberingLog } from '../harness/quiet-log.ts';
import { ownTemporal } from '../harness/system/own-temporal.ts';
import { deploymentName, versionedFleet } from '../harness/temporal/versioned-fleet.ts';

const automatic = { mode: 'automatic', deploymentName } as const;

test('a server without deployments gets an unversioned worker and a warning', async (t) => {
  const { address } = await ownTemporal(t, { settings: { 'system.enableDeploymentVersions': false } });
  const connection = await Connection.connect({ address });
  t.teardown(() => connection.close());
  const log = rememberingLog();
  t.is(await chooseVersion(new Client({ connection }), automatic, log), undefined);
  t.deepEqual(
    log.lines.map(({ level, event }) => [level, event]),
    [['warn', 'versioning.disabled']],
  );
  t.regex(String(log.lines[0]?.['reason']), /disabled/);
});

test('a worker has the configured build, or the digest of its workflows', async (t) => {
  const { client } = await versionedFleet(t, {});
  const log = rememberingLog();
  const common = { deploymentName, isPromoted: true };
  t.deepEqual(await chooseVersion(client, automatic, log), { ...common, buildId: workerBuildId() });
  t.regex(workerBuildId(), /^[0-9a-f]{16}$/);
  t.deepEqual(await chooseVersion(client, { ...automatic, buildId: 'x-1' }, log), { ...common, buildId: 'x-1' });
  t.like(await chooseVersion(client, { ...automatic, mode: 'manual' }, log), { isPromoted: false });
  t.deepEqual(log.lines, []);
});

test('an unversioned worker is warned if a version gets the runs', async (t) => {
  const { client, startBuild, untilCurrent } = await versionedFleet(t, { sendCode: () => 'sent' });
  const log = rememberingLog();
  t.is(await chooseVersion(client, { ...automatic, mode: 'off' }, log), undefined);
  t.deepEqual(log.lines, []);
  await startBuild('a');
  await untilCurrent('a');
  await chooseVersion(client, { ...automatic, mode: 'off' }, log);
  t.like(log.lines, [{ level: 'warn', event: 'versioning.bypassed', current: 'a' }]);
  await setCurrentVersion(client, { deploymentName, buildId: null, identity: 'operator' });
  await chooseVersion(client, { ...automatic, mode: 'off' }, log);
  t.is(log.lines.length, 1);
});
