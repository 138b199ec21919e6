import { randomBytes } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { registerSearchAttributes } from '../../../admin/commands/register-search-attributes.ts';
import type { Lifetime } from '../time/lifetime.ts';
import { until } from '../until.ts';

const RETENTION_MS = 24 * 3600 * 1000;

/** Creates a namespace with the search attributes, so that tests don't share task queues. */
export async function ownNamespace(t: Lifetime, address: string): Promise<Client> {
  const connection = await Connection.connect({ address });
  t.teardown(() => connection.close());
  const namespace = `system-${randomBytes(6).toString('hex')}`;
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs(RETENTION_MS),
  });
  await until(() => registerAttributes(connection, namespace), { for: 'The search attributes of the namespace' });
  return new Client({ connection, namespace });
}

/** Retries, because a new namespace takes a moment to become visible. */
async function registerAttributes(connection: Connection, namespace: string): Promise<boolean> {
  try {
    return (await registerSearchAttributes(new Client({ connection, namespace }))).registered.length === 0;
  } catch {
    return false;
  }
}
