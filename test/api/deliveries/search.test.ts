import test from 'ava';
import { channelStage } from '../../harness/api/stages.ts';
import { testApi } from '../../harness/api/api.ts';
import { aDestination, aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

test('deliveries are filtered by destination, sender and platform id in combination', async (t) => {
  const { db, call, refused } = await testApi(t);
  const [{ workspace, apiKey: key }, stranger] = [await aTenant(db), await aTenant(db)];
  const channel = await aChannel(db, workspace);
  const webhook = await aWebhook(db, channel);
  const subscribed = await aDestination(db, channel);
  await db('subscriptions').insert({ public_id: 'sub_00000001', channel_id: channel.id, destination_id: subscribed });
  const kept = {
    type: 'webhook',
    url: 'https://old.example.com/',
    kept_for: webhook,
    channel_id: channel.id,
  };
  const [{ id: keptId }] = await db('destinations').insert(kept).returning('id');
  const aDelivery = async (destinationId: number, event: object, of = channel) => {
    const made = await aLedgerDelivery(db, of, { destinationId });
    await db('events')
      .where({ id: (await db('deliveries').where({ id: made.id }).first()).event_id })
      .update(event);
    return made.publicId;
  };
  const one = await aDelivery(webhook, { sender: '4917', platform_message_id: 'wamid.1|x' });
  const two = await aDelivery(subscribed, { sender: '4917', platform_message_id: 'wamid.2' });
  const three = await aDelivery(keptId, { sender: '4918', platform_message_id: null });
  const theirs = await aChannel(db, stranger.workspace);
  await aDelivery(await aWebhook(db, theirs), { sender: '4917', platform_message_id: 'wamid.2' }, theirs);

  const at = { key, workspace: workspace.publicId };
  const found = async (query: string): Promise<string[]> => {
    const { body } = await call(`GET /deliveries?${query}`, at);
    return body.deliveries.map(({ deliveryId }: { deliveryId: string }) => deliveryId);
  };
  t.deepEqual(await found('destination=webhook'), [three, one], 'includes deliveries kept for an old URL');
  t.deepEqual(await found('destination=sub_00000001'), [two]);
  t.deepEqual(await found('destination=sub_00000009'), []);
  t.deepEqual(await found('sender=4917'), [two, one]);
  t.deepEqual(await found('platformMessageId=wamid.1%7Cx'), [one]);
  t.deepEqual(await found('platformMessageId=wamid.2&sender=4918'), []);
  t.deepEqual(await found('sender=4917&destination=webhook&status=pending&eventType=chatapp.message.received'), [one]);
  t.deepEqual(await found(`sender=4917&scope=channel:${channel.publicId}&limit=1`), [two]);
  t.deepEqual(await found(`sender=4917&limit=1&cursor=${two}`), [one]);
  t.deepEqual(await found('sender=4917&until=2020-01-01T00:00:00Z'), []);
  await refused('VALIDATION_ERROR', 'GET /deliveries?destination=listener', at);
  await refused('VALIDATION_ERROR', 'GET /deliveries?sender=', at);
});

test('deliveries are found by a phone number as people write it', async (t) => {
  const { db, call, refused, channel, at } = await channelStage(t);
  const { publicId } = await aLedgerDelivery(db, channel, { destinationId: await aWebhook(db, channel) });
  await db('events').update({ sender: '15558880001' });

  for (const written of ['+1 555 888 0001', '+1 (555) 888-0001', '1.555.888.0001', ' 15558880001 ']) {
    for (const parameter of ['sender', 'search']) {
      const { body } = await call(`GET /deliveries?${parameter}=${encodeURIComponent(written)}`, at);
      t.is(body.deliveries[0]?.deliveryId, publicId, `${parameter} ${written}`);
    }
  }
  await refused('VALIDATION_ERROR', 'GET /deliveries?sender=%20', at);
});

test('searches by sender and by platform id use an index', async (t) => {
  const { db, workspace, channel } = await channelStage(t);
  await db.raw(
    `insert into events (channel_id, workspace_id, event_type, conversation_key, sender, platform_message_id, body)
     select ?, ?, 'chatapp.message.received', n, n::text, 'mid.' || n, '' from generate_series(1, 20000) n`,
    [channel.id, workspace.id],
  );
  await db.raw('analyze events');
  for (const [column, value] of [['sender', '77'], ['platform_message_id', 'mid.77']]) {
    const { rows } = await db.raw(`explain select id from events where ${column} = ?`, [value!]);
    t.regex(JSON.stringify(rows), /Index|Bitmap/);
  } // prettier-ignore
});
