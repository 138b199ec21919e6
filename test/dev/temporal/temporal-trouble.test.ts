import test from 'ava';
import { isTemporalTrouble } from '../../../dev/temporal/temporal-server.ts';

test('a healthy first start shows no line of Temporal', (t) => {
  const healthy =
    'time=2026-01-31T21:12:00.000 level=ERROR msg="service failures" operation=DescribeWorkerDeployment ' +
    'error="Worker Deployment not found" logging-call-at=telemetry.go:412';
  t.false(isTemporalTrouble(healthy));
  const continuing =
    'time=2026-01-31T21:12:00.000 level=ERROR msg="service failures" operation=ExecuteMultiOperation ' +
    'grpc_code=ResourceExhausted wf-id=temporal-sys-worker-deployment-version:messaging-channels:0a18efd78bfb42a6 ' +
    'error="MultiOperation could not be executed: Update failed: workflow operation can not be applied because ' +
    'workflow is closing"';
  t.false(isTemporalTrouble(continuing));
  t.false(isTemporalTrouble('time=2026-01-31T21:12:00.000 level=INFO msg=started'));
  t.true(isTemporalTrouble('time=2026-01-31T21:12:00.000 level=ERROR msg="unable to open the database"'));
});
