import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import test from 'ava';
import { searchAttributes } from '../../contract/search-attributes.ts';
import { projectRoot } from '../../dev/checks/source-files.ts';
import { eventually } from '../harness/eventually.ts';

const run = promisify(execFile);
const names = Object.values(searchAttributes);
const RETENTION_MS = 86_400_000;

test('register-search-attributes adds only missing attributes', async (t) => {
  const address = process.env.TEST_TEMPORAL_ADDRESS ?? t.fail('run the tests with `npm test`');
  if (!address) return;
  const connection = await Connection.connect({ address });
  t.teardown(() => connection.close());
  const namespace = `attributes-${randomUUID()}`;
  const workflowExecutionRetentionPeriod = msToTs(RETENTION_MS);
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  const attributes = async () =>
    (await connection.operatorService.listSearchAttributes({ namespace })).customAttributes ?? {};
  await eventually(() => attributes().catch(() => false)); // a new namespace takes a moment to propagate
  const [first, ...missing] = names;
  await eventually(async () => {
    const one = { namespace, searchAttributes: { [first!]: 2 } };
    return await connection.operatorService.addSearchAttributes(one).then(
      () => true,
      () => false,
    );
  });
  await eventually(async () => first! in (await attributes()));

  const register = async (): Promise<unknown> => {
    const { stdout } = await run(process.execPath, [join(projectRoot, 'admin/main.ts'), 'register-search-attributes'], {
      env: {
        ...process.env,
        DATABASE_URL: '',
        TEMPORAL_ADDRESS: address,
        TEMPORAL_NAMESPACE: namespace,
      },
    });
    return JSON.parse(stdout);
  };
  t.deepEqual(await register(), { registered: missing });
  await eventually(async () => {
    const known = await attributes();
    return names.every((name) => known[name] === 2);
  });
  t.deepEqual(await register(), { registered: [] });
});
