import test from 'ava';
import type { Connection } from '@temporalio/client';
import { explainRefusal, checkTemporalVersion } from '../../worker/explain-temporal.ts';
import { rememberingLog } from '../harness/quiet-log.ts';

const serverOf = (serverVersion: string) => {
  const workflowService = { getSystemInfo: async () => ({ serverVersion }) };
  return { workflowService: workflowService as unknown as Connection['workflowService'] };
};

for (const version of ['1.28.0', '1.29.1', 'v1.32.0-150.0', '2.0.0', '1.100.3']) {
  test(`Temporal ${version} is accepted`, async (t) => {
    const log = rememberingLog();
    await checkTemporalVersion(serverOf(version), log);
    t.deepEqual(log.lines, []);
  });
}

for (const version of ['1.27.4', '0.9.0', '1.2.8']) {
  test(`Temporal ${version} is reported with both versions`, async (t) => {
    const log = rememberingLog();
    await checkTemporalVersion(serverOf(version), log);
    t.like(log.lines, [{ event: 'temporal.versionUnsupported', serverVersion: version, leastVersion: '1.28' }]);
  });
}

for (const version of ['', 'custom-build']) {
  test(`the unknown Temporal version "${version}" is logged and accepted`, async (t) => {
    const log = rememberingLog();
    await checkTemporalVersion(serverOf(version), log);
    t.like(log.lines, [{ event: 'temporal.versionSkipped' }]);
  });
}

test('an error that is no refusal is passed on', async (t) => {
  const error = new Error('other');
  t.is(await t.throwsAsync(explainRefusal('default', () => Promise.reject(error))), error);
});
