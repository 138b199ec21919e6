import { Client, Connection } from '@temporalio/client';
import type { System } from './system.ts';

/** Visibility lags by up to a second, so a count right after a start may miss it. */
export async function countWorkflows({ temporalAddress }: System, types: readonly string[]): Promise<number> {
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const names = types.map((type) => `'${type}'`).join(', ');
    const { count } = await new Client({ connection }).workflow.count(`WorkflowType in (${names})`);
    return count;
  } finally {
    await connection.close();
  }
}

export const deliveryWorkflows = ['deliverWebhook', 'destinationCircuit'] as const;
