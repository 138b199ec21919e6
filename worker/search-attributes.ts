import type { Client } from '@temporalio/client';
import { searchAttributes } from '../contract/search-attributes.ts';

/** The search attributes that this namespace of Temporal does not have yet. */
export async function missingSearchAttributes(client: Client): Promise<string[]> {
  const { customAttributes } = await client.connection.operatorService.listSearchAttributes({
    namespace: client.options.namespace,
  });
  return Object.values(searchAttributes).filter((name) => !(name in (customAttributes ?? {})));
}
