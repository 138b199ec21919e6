import { Connection } from '@temporalio/client';
import test from 'ava';
import { searchAttributes } from '../../../contract/search-attributes.ts';
import { ownTemporal } from '../../harness/system/own-temporal.ts';

test('a database of an earlier version gets the new search attributes', async (t) => {
  const temporal = await ownTemporal(t);
  const request = { namespace: 'default', searchAttributes: [searchAttributes.blockedBy] };
  const connection = await Connection.connect({ address: temporal.address });
  await connection.operatorService.removeSearchAttributes(request);
  await connection.close();
  await temporal.kill9();

  await temporal.start();

  const again = await Connection.connect({ address: temporal.address });
  t.teardown(() => again.close());
  const { customAttributes } = await again.operatorService.listSearchAttributes({ namespace: 'default' });
  for (const name of Object.values(searchAttributes)) t.true(name in customAttributes, name);
});
