import type { Client } from '@temporalio/client';
import { searchAttributes } from '../../contract/search-attributes.ts';

/** `INDEXED_VALUE_TYPE_KEYWORD` of Temporal's API. */
const KEYWORD = 2;

/** Registers missing search attributes of the namespace and leaves existing ones unchanged. */
export async function registerSearchAttributes({ connection, options }: Client): Promise<{ registered: string[] }> {
  const { namespace } = options;
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(searchAttributes).filter((name) => !(name in (customAttributes ?? {})));
  if (missing.length > 0) {
    const attributes = Object.fromEntries(missing.map((name) => [name, KEYWORD]));
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: attributes });
  }
  return { registered: missing };
}
