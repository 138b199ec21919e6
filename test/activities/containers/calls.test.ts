import test from 'ava';
import { createContainerPublishActivities } from '../../../activities/containers/container-publish-activities.ts';
import { createContainerActivities } from '../../../activities/containers/container-activities.ts';
import { createOutboundLog, type OutboundCall } from '../../../db/operations/outbound-calls.ts';
import { inActivity } from '../../harness/temporal/activity.ts';
import { activityStage } from './containers-stage.ts';

test('every call for a container is recorded with its id and workflow', async (t) => {
  const { db, deps, image, channel } = await activityStage(t);
  const calls: OutboundCall[] = [];
  const recording = { ...deps, outbound: { record: (call: OutboundCall) => void calls.push(call) } };
  const { createPart, checkContainer } = createContainerActivities(recording);
  const { publishOnce } = createContainerPublishActivities(recording);
  const { publicId: containerId } = await image();
  await inActivity(() => createPart({ containerId, position: 0 }));
  await inActivity(() => checkContainer({ containerId, children: false, nextCheckAtMs: Date.now() + 60_000 }));
  await inActivity(() => publishOnce({ containerId }));

  const shared = { channelId: channel.id, via: 'workflow', requestId: containerId, caller: `container/${containerId}` };
  t.true(calls.length >= 3);
  for (const call of calls) t.like(call, { ...shared, status: 200, error: null });
  t.deepEqual(
    new Set(calls.map(({ operation }) => operation)),
    new Set(['createContainer', 'readContainer', 'publishContainer']),
  );
  t.false(JSON.stringify(calls).includes('https://'));

  const log = createOutboundLog({ db, log: deps.log });
  for (const call of calls) log.record(call);
  await log.stop();
  t.is((await db('outbound_calls')).length, calls.length);
});
