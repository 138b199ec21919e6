import test from 'ava';
import { isTemporalTrouble } from '../../../dev/temporal/temporal-server.ts';

test('a healthy first start shows no line of Temporal', (t) => {
  const healthy =
    'time=2026-01-31T21:12:00.000 level=ERROR msg="service failures" operation=DescribeWorkerDeployment ' +
    'error="Worker Deployment not found" logging-call-at=telemetry.go:412';
  t.false(isTemporalTrouble(healthy));
  t.false(isTemporalTrouble('time=2026-01-31T21:12:00.000 level=INFO msg=started'));
  t.true(isTemporalTrouble('time=2026-01-31T21:12:00.000 level=ERROR msg="unable to open the database"'));
});
