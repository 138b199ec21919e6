import { Connection } from '@temporalio/client';
import { searchAttributes } from '../../contract/search-attributes.ts';
import { temporalConnection } from '../../process/temporal-connection.ts';

/** `INDEXED_VALUE_TYPE_KEYWORD` of Temporal's API. */
const KEYWORD = 2;

/** Registers missing search attributes of the namespace and leaves existing ones unchanged. */
export async function registerSearchAttributes(): Promise<{ registered: string[] }> {
  const { options, namespace } = temporalConnection();
  const connection = await Connection.connect(options);
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    const missing = Object.values(searchAttributes).filter((name) => !(name in (customAttributes ?? {})));
    if (missing.length > 0) {
      const attributes = Object.fromEntries(missing.map((name) => [name, KEYWORD]));
      await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: attributes });
    }
    return { registered: missing };
  } finally {
    await connection.close();
  }
}
