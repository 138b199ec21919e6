import test from 'ava';
import type { Knex } from 'knex';
import { sequencedId } from '../../../contract/ids.ts';
import { readInstallation } from '../../../db/core/installation.ts';
import { searchDeliveries } from '../../../db/staff/search-deliveries.ts';
import { tenantStage, channelStage } from '../../harness/api/stages.ts';
import { testApi } from '../../harness/api/api.ts';
import { aDestination, aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aStaffKey } from '../../harness/people/staff.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

async function twoOrganizations(db: Knex) {
  const { idKey } = await readInstallation(db);
  const aSide = async (sender: string) => {
    const tenant = await aTenant(db);
    const channel = await aChannel(db, tenant.workspace);
    const destinationId = await aWebhook(db, channel);
    const delivered = await aLedgerDelivery(db, channel, { destinationId, status: 'delivered', attemptCount: 1 });
    const exhausted = await aLedgerDelivery(db, channel, {
      destinationId,
      status: 'exhausted',
      eventType: 'chatapp.message.status',
    });
    await db('events')
      .where({ channel_id: channel.id })
      .update({ sender, platform_message_id: `mid.${sender}` });
    return { ...tenant, channel, destinationId, delivered, exhausted };
  };
  return { one: await aSide('1555001'), two: await aSide('1555002'), idKey };
}

test('staff find deliveries of every organization by any identifier', async (t) => {
  const { db, call, refused } = await testApi(t);
  const { one, two, idKey } = await twoOrganizations(db);
  const { token: key } = await aStaffKey(db);
  const found = async (query: string): Promise<string[]> => {
    const { body } = await call(`GET /staff/deliveries?reason=Call&${query}`, { key });
    t.is(body.nextCursor, null);
    return body.deliveries.map(({ deliveryId }: { deliveryId: string }) => deliveryId);
  };
  const all = [two.exhausted, two.delivered, one.exhausted, one.delivered].map(({ publicId }) => publicId);
  t.deepEqual(await found('limit=100'), all);
  const ofTwo = all.slice(0, 2);
  const { event_id: eventNumber } = await db('deliveries').where({ id: two.delivered.id }).first('event_id');
  const subscriptionId = 'sub_0000000A';
  const extraId = await aDestination(db, two.channel);
  await db('subscriptions').insert({ public_id: subscriptionId, channel_id: two.channel.id, destination_id: extraId });
  const subscribed = await aLedgerDelivery(db, two.channel, { destinationId: extraId });

  t.deepEqual(await found(`deliveryId=${two.delivered.publicId}`), [two.delivered.publicId]);
  t.deepEqual(await found(`eventId=${sequencedId(idKey, 'event', eventNumber)}`), [two.delivered.publicId]);
  t.deepEqual(await found('platformMessageId=mid.1555002'), ofTwo);
  t.deepEqual(await found('sender=1555002'), ofTwo);
  t.deepEqual(await found(`sender=${encodeURIComponent('+155 (50)-02')}`), ofTwo);
  t.deepEqual(await found(`channelId=${two.channel.publicId}`), [subscribed.publicId, ...ofTwo]);
  t.deepEqual(await found(`workspaceId=${two.workspace.publicId}`), [subscribed.publicId, ...ofTwo]);
  t.deepEqual(await found(`organizationId=${two.organization.publicId}`), [subscribed.publicId, ...ofTwo]);
  t.deepEqual(await found(`destination=${subscriptionId}`), [subscribed.publicId]);
  t.deepEqual(await found(`destination=webhook&organizationId=${two.organization.publicId}`), ofTwo);
  t.deepEqual(await found('status=exhausted'), [two.exhausted.publicId, one.exhausted.publicId]);
  t.deepEqual(await found('sender=1555001&status=exhausted'), [one.exhausted.publicId]);
  t.deepEqual(await found(`sender=1555001&channelId=${two.channel.publicId}`), []);
  t.deepEqual(await found('eventType=chatapp.message.status&sender=1555001'), [one.exhausted.publicId]);
  t.deepEqual(await found('sender=nobody'), []);
  await refused('CHANNEL_NOT_FOUND', 'GET /staff/deliveries?reason=Call&channelId=ch_00000000', { key });
  await refused('WORKSPACE_NOT_FOUND', 'GET /staff/deliveries?reason=Call&workspaceId=ws_00000000', { key });
  await refused('ORGANIZATION_NOT_FOUND', 'GET /staff/deliveries?reason=Call&organizationId=org_00000000', { key });
  await refused('SUBSCRIPTION_NOT_FOUND', 'GET /staff/deliveries?reason=Call&destination=sub_00000000', { key });
  await refused('VALIDATION_ERROR', 'GET /staff/deliveries?reason=Call&cursor=wd_1', { key });
});

test('staff find deliveries by the number, account or Page of the channel', async (t) => {
  const { db, call, refused } = await testApi(t);
  const { one, two } = await twoOrganizations(db);
  const { token: key } = await aStaffKey(db);
  const name = (channel: { readonly id: number }, display_name: string) =>
    db('channels').where({ id: channel.id }).update({ display_name });
  await name(one.channel, '24 Hours · +1 555-078-3881');
  await name(two.channel, 'Acme · +241 555 078 3881');
  const address = (resourceId: string, more = '') =>
    `GET /staff/deliveries?reason=Call&resourceId=${encodeURIComponent(resourceId)}${more}`;
  const found = async (resourceId: string, more?: string): Promise<string[]> => {
    const { body } = await call(address(resourceId, more), { key });
    return body.deliveries.map(({ deliveryId }: { deliveryId: string }) => deliveryId);
  };
  const idsOf = ({ delivered, exhausted }: typeof one) => [exhausted.publicId, delivered.publicId];

  for (const written of ['+1 555-078-3881', '1 (555) 078 3881', ' 15550783881 ']) {
    t.deepEqual(await found(written), idsOf(one), written);
  }
  t.deepEqual(await found('+241 555 078 3881'), idsOf(two));
  const { resource_id: resourceId } = await db('channels').where({ id: two.channel.id }).first('resource_id');
  t.deepEqual(await found(resourceId), idsOf(two));
  t.deepEqual(await found(resourceId, `&status=exhausted&channelId=${two.channel.publicId}`), idsOf(two).slice(0, 1));
  t.deepEqual(await found(resourceId, `&channelId=${one.channel.publicId}`), []);
  for (const other of ['5550783881', '2415550783881 1', 'Acme'])
    await refused('CHANNEL_NOT_FOUND', address(other), { key });
  await refused('FORBIDDEN', address('+1 555-078-3881'), { key: one.apiKey });
});

test('staff find a text in the messages of an organization', async (t) => {
  const { db, call, refused } = await testApi(t);
  const { one, two } = await twoOrganizations(db);
  const { token: key } = await aStaffKey(db);
  const bodyOf = (text: string): string => JSON.stringify({ entry: [{ messages: [{ text: { body: text } }] }] });
  const aMessage = async ({ channel, destinationId }: typeof one, text: string) =>
    (await aLedgerDelivery(db, channel, { destinationId, status: 'exhausted', body: bodyOf(text) })).publicId;
  const ofOne = [await aMessage(one, 'Where is my parcel?'), await aMessage(one, 'A parcel is late')];
  const ofTwo = await aMessage(two, 'My parcel has come');
  const address = (query: Readonly<Record<string, string>>) =>
    `GET /staff/deliveries?${new URLSearchParams({ reason: 'Ticket 812', text: 'parcel', ...query })}`;
  const found = async (query: Readonly<Record<string, string>>): Promise<string[]> => {
    const { body } = await call(address(query), { key });
    return body.deliveries.map(({ deliveryId }: { deliveryId: string }) => deliveryId);
  };
  const organizationId = one.organization.publicId;

  t.deepEqual(await found({ organizationId }), [ofOne[1], ofOne[0]]);
  t.deepEqual(await found({ workspaceId: two.workspace.publicId }), [ofTwo]);
  t.deepEqual(await found({ channelId: two.channel.publicId, status: 'delivered' }), []);
  const first = await call(address({ organizationId, limit: '1' }), { key });
  t.deepEqual(await found({ organizationId, limit: '1', cursor: first.body.nextCursor }), [ofOne[0]]);
  t.deepEqual(await found({ organizationId, text: 'refund' }), []);
  const { count } = (await db('audit_entries')
    .where({ action: 'delivery.searched', organization_id: one.organization.id })
    .count()
    .first())!;
  t.is(Number(count), 4, 'also the search that found nothing');
  const { body: error } = await refused('VALIDATION_ERROR', address({ sender: '1555001' }), { key });
  t.regex(error.message, /^query\.text: needs one of channelId, /);
});

test('staff find channels by phone number or platform id, page by page', async (t) => {
  const { db, call, refused } = await testApi(t);
  const { one, two } = await twoOrganizations(db);
  const { token: key, publicId: staffKeyId } = await aStaffKey(db);
  await db('channels').update({ display_name: 'Shop · +1 555-078-3881', disconnected_at: new Date() });
  const address = `GET /staff/channels?reason=Call&resourceId=${encodeURIComponent('+1 (555) 078 3881')}`;

  const first = await call(`${address}&limit=1`, { key });
  t.is(first.body.channels.length, 1);
  t.like(first.body.channels[0], {
    channelId: two.channel.publicId,
    displayName: 'Shop · +1 555-078-3881',
    connected: false,
    organizationId: two.organization.publicId,
    organizationName: 'Acme',
    workspaceId: two.workspace.publicId,
  });
  const second = await call(`${address}&limit=1&cursor=${first.body.nextCursor}`, { key });
  t.is(second.body.channels[0].channelId, one.channel.publicId);
  t.is(second.body.nextCursor, null);
  t.deepEqual((await call('GET /staff/channels?reason=Call&resourceId=5550783881', { key })).body.channels, []);
  const searched = await db('audit_entries').where({ action: 'channel.searched', target_id: '15550783881' });
  t.deepEqual(
    searched.map((row) => [row.organization_id, row.actor_id]),
    [two, one].map(({ organization }) => [organization.id, staffKeyId]),
  );
  await refused('FORBIDDEN', address, { key: one.apiKey });
  await refused('VALIDATION_ERROR', 'GET /staff/channels?reason=Call', { key });
});

test('a search by time returns only deliveries of that time', async (t) => {
  const { db, call, channel } = await channelStage(t);
  const { token: key } = await aStaffKey(db);
  const days = [1, 2, 3, 4, 5, 6, 7].map((day) => new Date(Date.UTC(2026, 0, day, 12)));
  const made: string[] = [];
  for (const createdAt of days) {
    made.push(
      (await aLedgerDelivery(db, channel, { status: 'skipped', skipReason: 'no_destination', createdAt })).publicId,
    );
  }
  const search = async (query: string): Promise<string[]> => {
    const { body } = await call(`GET /staff/deliveries?reason=Call&${query}`, { key });
    return body.deliveries.map(({ deliveryId }: { deliveryId: string }) => deliveryId);
  };
  const span = 'since=2026-01-03T12:00:00Z&until=2026-01-05T12:00:00Z';
  t.deepEqual(await search(span), [made[3], made[2]]);
  t.deepEqual(await search(`${span}&channelId=${channel.publicId}`), [made[3], made[2]]);
  t.deepEqual(await search(`${span}&sender=15550001`), [made[3], made[2]]);
  t.deepEqual(await search('until=2025-01-01T00:00:00Z'), []);
  t.deepEqual(await search('since=2027-01-01T00:00:00Z'), []);
});

test('a filtered search pages through each delivery exactly once', async (t) => {
  const { db, call, workspace, organization } = await tenantStage(t);
  const channels = [await aChannel(db, workspace), await aChannel(db, workspace), await aChannel(db, workspace)];
  const made: string[] = [];
  for (let index = 0; index < 23; index++) {
    const channel = channels[index % (index < 12 ? 2 : 3)]!;
    made.unshift((await aLedgerDelivery(db, channel, { status: 'skipped', skipReason: 'no_destination' })).publicId);
  }
  const { token: key } = await aStaffKey(db);
  const narrowed = [
    '',
    'sender=15550001',
    'platformMessageId=mid.1',
    `workspaceId=${workspace.publicId}`,
    `organizationId=${organization.publicId}`,
  ];
  for (const query of narrowed) {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = `limit=5&reason=Call&${query}${cursor && `&cursor=${cursor}`}`;
      const { body } = await call(`GET /staff/deliveries?${page}`, { key });
      seen.push(...body.deliveries.map(({ deliveryId }: { deliveryId: string }) => deliveryId));
      cursor = body.nextCursor;
    }
    t.deepEqual(seen, made, query);
  }
});

test('a sparse search stops at its row limit and continues later', async (t) => {
  const { db, workspace, organization } = await tenantStage(t);
  const channels = [await aChannel(db, workspace), await aChannel(db, workspace)];
  const wanted = await aLedgerDelivery(db, channels[0]!, { status: 'exhausted' });
  const event = await db('deliveries').where({ id: wanted.id }).first();
  await db.raw(
    `insert into deliveries (event_id, channel_id, workspace_id, destination_id, shard, conversation_key, event_type, status)
     select ?, case when n % 3 = 0 then ?::bigint else ?::bigint end, workspace_id, destination_id, shard,
       conversation_key, event_type, 'delivered'
     from deliveries, generate_series(1, 25000) n where id = ?`,
    [event.event_id, channels[0]!.id, channels[1]!.id, wanted.id],
  );
  const searches = [{}, { workspaceId: event.workspace_id }, { organizationId: organization.id }];
  for (const search of searches) {
    const seen: number[] = [];
    let pages = 0;
    let before: number | undefined;
    do {
      const found = await searchDeliveries(db, { ...search, statuses: ['exhausted'], limit: 10, before });
      seen.push(...found.ids);
      before = found.stoppedAt ?? undefined;
      pages += 1;
    } while (before !== undefined && pages < 20);
    t.deepEqual(seen, [wanted.id]);
    t.true(pages >= 3 && pages <= 8, `${pages} pages`);
  }
});

test("each organization's audit log records searches that showed its data", async (t) => {
  const { db, call } = await testApi(t);
  const { one, two } = await twoOrganizations(db);
  const staff = await aStaffKey(db);
  const acts = async () => {
    const rows = await db('audit_entries').where({ actor_type: 'staff' }).orderBy('id');
    await db('audit_entries').delete();
    return rows.map((row) => [row.organization_id, row.action, row.target_id, row.reason]);
  };
  await call('GET /staff/deliveries?status=exhausted&reason=Outage', { key: staff.token });
  t.deepEqual(await acts(), [
    [two.organization.id, 'delivery.searched', null, 'Outage'],
    [one.organization.id, 'delivery.searched', null, 'Outage'],
  ]);
  await call(`GET /staff/deliveries?deliveryId=${one.delivered.publicId}&reason=Call`, { key: staff.token });
  t.deepEqual(await acts(), [[one.organization.id, 'delivery.searched', one.delivered.publicId, 'Call']]);
  await call('GET /staff/deliveries?sender=unknown&reason=Call', { key: staff.token });
  t.deepEqual(await acts(), [[null, 'delivery.searched', null, 'Call']]);
});
