import test from 'ava';
import { fieldsOf } from '../../harness/fields-of.ts';
import { aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { cliStage } from '../api-stage.ts';

test('deliveries are searched, and exactly those are replayed', async (t) => {
  const { cli, ch, db, channel } = await cliStage(t);
  const destinationId = await aWebhook(db, channel);
  const aDelivery = (body: string) => aLedgerDelivery(db, channel, { destinationId, status: 'exhausted', body });
  const { publicId: wd } = await aDelivery('{"text":"my order"}');
  await aDelivery('{"text":"something else"}');
  const filters = "--search 'my order' --http-status none,5xx";

  const searched = await cli.json("deliveries list --search 'my order'");
  t.deepEqual(fieldsOf(searched.deliveries, 'deliveryId'), [wd]);
  t.deepEqual((await cli.json(`deliveries list ${filters}`)).deliveries, []);
  const create = `replays create --channel ${ch} --since 1h --dry-run`;
  t.is((await cli.json(create)).matched, 2);
  t.is((await cli.json(`${create} --search 'my order' --sender 15550001`)).matched, 1);
  t.is((await cli.json(`${create} ${filters}`)).matched, 0);
  t.is((await cli.json(`${create} --original-destination webhook --channels ${ch}`)).matched, 2);
});

test('deliveries are listed by a sender as people write a number', async (t) => {
  const { cli, db, channel } = await cliStage(t);
  const { publicId: wd } = await aLedgerDelivery(db, channel, { destinationId: await aWebhook(db, channel) });
  await db('events').update({ sender: '15558880001' });

  const { deliveries } = await cli.json("deliveries list --sender '+1 (555) 888-0001'");
  t.deepEqual(fieldsOf(deliveries, 'deliveryId'), [wd]);
});
