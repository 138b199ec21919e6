import { Client, Connection } from '@temporalio/client';
import { temporalConnection } from '../../process/temporal-connection.ts';
import type { TemporalClient } from './deps.ts';

export async function connectBySettings(): Promise<TemporalClient> {
  const { options, namespace } = temporalConnection();
  const connection = await Connection.connect(options);
  return { client: new Client({ connection, namespace }), close: () => connection.close() };
}

/** Connects for the duration of a command. */
export async function withTemporal<Result>(act: (client: Client) => Promise<Result>): Promise<Result> {
  const temporal = await connectBySettings().catch((cause: unknown) => {
    const { address } = temporalConnection().options;
    throw new Error(`Temporal cannot be reached at ${address}. Check TEMPORAL_ADDRESS.`, { cause });
  });
  try {
    return await act(temporal.client);
  } finally {
    await temporal.close();
  }
}
