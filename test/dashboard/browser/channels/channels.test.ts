import type { ExecutionContext } from 'ava';
import type { TestChannel } from '../../../harness/tenants.ts';
import type { ConnectedChannel } from '../../../harness/system/system.ts';
import { button, dialogButton } from '../dashboard-page.ts';
import { browserTest as test } from '../dashboard-site.ts';
import { type DashboardSystem, dashboardSystem } from '../dashboard-system.ts';

test('an admin sets up, pauses and disconnects a channel', async (t) => {
  const system = await dashboardSystem(t);
  const connected = await system.channel({ webhookUrl: system.receiver.webhook('all').url });
  await setUpToken(t, system, connected);
  await rotateSecret(t, system, connected);
  await setUpSubscriptions(t, system, connected);
  await turnOffAndDisconnect(t, system, connected);
  t.deepEqual(system.complaints, []);
});

test('a disabled webhook is enabled again at the head of its channel', async (t) => {
  const { channel, receiver, db, page, visit, complaints } = await dashboardSystem(t);
  const hook = receiver.webhook('all');
  hook.set({ verifyToken: 'token' });
  const { id, publicId } = await channel({ webhookUrl: hook.url });
  const disabled = { enabled: false, disabled_reason: 'failing', failing_since: new Date(Date.now() - 3_600_000) };
  await db('destinations').where({ channel_id: id, type: 'webhook' }).update(disabled);
  await visit(`channels/${publicId}/settings`);
  await page.getByText('Disabled: it failed for days. It began 1 hour ago.').waitFor();
  await button(page, 'Enable again').click();
  await page.getByRole('status').getByText('Events that arrived while it was disabled were skipped.').waitFor();
  t.like(await db('destinations').where({ channel_id: id, type: 'webhook' }).first(), { enabled: true });
  await page.getByRole('link', { name: 'Replay what was skipped' }).click();
  await page.getByRole('heading', { level: 1, name: 'Create replay' }).waitFor();
  t.is(new URL(page.url()).searchParams.get('since'), disabled.failing_since.toISOString());
  t.deepEqual(complaints, []);
});

async function setUpToken(t: ExecutionContext<unknown>, { page, visit }: DashboardSystem, { publicId }: TestChannel) {
  await visit(`channels/${publicId}/token`);
  await button(page, 'Show token').click();
  const token = page.getByLabel('channel token', { exact: true });
  const before = await token.textContent();
  t.regex(before ?? '', /^hmat_/);
  await button(page, 'Rotate token').click();
  await dialogButton(page, 'Rotate token').click();
  await page.getByText(/The old one expires in/).waitFor();
  await button(page, 'Done').click();
  t.not(await token.textContent(), before);
  await button(page, 'Load variables').click();
  await button(page, 'Show secrets').click();
  const values = await page.getByLabel('Environment variables', { exact: true }).textContent();
  t.true(values?.includes(`SERVICE_CHANNEL_ID=${publicId}`));
  t.true(values?.includes(`CHATAPP_ACCESS_TOKEN=${await token.textContent()}`));
}

async function rotateSecret(t: ExecutionContext<unknown>, { page, visit }: DashboardSystem, { publicId }: TestChannel) {
  await visit(`channels/${publicId}/webhook`);
  await button(page, 'Show secret').click();
  const secret = page.getByLabel('signing secret', { exact: true });
  const before = await secret.textContent();
  await button(page, 'Rotate secret').click();
  await dialogButton(page, 'Rotate secret').click();
  await page.getByText('the old one no longer works').waitFor();
  const shown = await page.getByLabel('new secret', { exact: true }).textContent();
  await button(page, 'Done').click();
  t.is(await secret.textContent(), shown);
  t.not(shown, before);
  await button(page, 'Hide').click();
  await secret.waitFor({ state: 'detached' });
}

async function setUpSubscriptions(
  t: ExecutionContext<unknown>,
  { page, visit, receiver }: DashboardSystem,
  { publicId }: TestChannel,
) {
  await visit(`channels/${publicId}/subscriptions`);
  await button(page, 'Create subscription').click();
  await page.getByLabel('URL').fill(receiver.webhook('some').url);
  await page.getByLabel('Label').fill('Status board');
  await page.getByLabel('chatapp.message.received').uncheck();
  await dialogButton(page, 'Create subscription').click();
  await button(page, 'Test Status board').click();
  await page.getByLabel('Event type').selectOption('chatapp.other.received');
  t.is(receiver.webhook('some').deliveries().length, 0, 'a choice sends nothing');
  await dialogButton(page, 'Send test event').click();
  await page.getByRole('dialog').getByText('Accepted with 200').waitFor();
  await button(page, 'Done').click();
  const [sent] = receiver.webhook('some').deliveries();
  t.is(sent?.headers['x-service-event-type'], 'chatapp.other.received');
  await visit(`channels/${publicId}/webhook`);
  await page
    .getByRole('row', { name: /chatapp\.other\.received sub_\w+ 200/ })
    .getByRole('button', { name: 'Show' })
    .click();
  await page.getByRole('dialog').getByText('Accepted with 200').waitFor();
  await button(page, 'Done').click();
  await visit(`channels/${publicId}/subscriptions`);
  await button(page, 'Disable Status board').click();
  await button(page, 'Enable Status board').click();
  await button(page, 'Delete Status board').click();
  await dialogButton(page, 'Delete subscription').click();
  await page.getByText('No subscriptions yet').waitFor();
  await button(page, 'Create listener').click();
  await dialogButton(page, 'Create listener').click();
  await page.getByText('1 listener').waitFor();
}

async function turnOffAndDisconnect(
  t: ExecutionContext<unknown>,
  { page, visit }: DashboardSystem,
  { publicId, resourceId }: ConnectedChannel,
) {
  await visit(`channels/${publicId}/settings`);
  await button(page, 'Turn off forwarding').click();
  await dialogButton(page, 'Turn off forwarding').click();
  await page.getByText('Off. New events are stored as skipped').waitFor();
  await button(page, 'Turn on forwarding').click();
  await page.getByText('On. Events are sent to the destinations as they arrive.').waitFor();
  await button(page, 'Disconnect channel').click();
  t.true(await dialogButton(page, 'Disconnect channel').isDisabled());
  await page.getByLabel(/^Type "/).fill(`chatapp ${resourceId}`);
  await dialogButton(page, 'Disconnect channel').click();
  await page.locator('.under-title').getByText('disconnected', { exact: true }).waitFor();
}

test('a media container is created, tracked and published', async (t) => {
  const system = await dashboardSystem(t);
  const { page, channel, visit, checkAccessibility, complaints } = system;
  const connected = await channel({ type: 'photoapp' });
  const { publicId } = connected;
  await createReel(t, system, connected);
  await visit(`channels/${publicId}/containers`);
  await button(page, 'Create container').first().click();
  await page.getByLabel('Type').selectOption('CAROUSEL');
  await page.getByLabel('Images and videos').fill('https://media.example.com/1.jpg\nhttps://media.example.com/2.jpg');
  await page.getByLabel('Caption').fill('Autumn shelves');
  await checkAccessibility();
  await dialogButton(page, 'Create container').click();
  await page.getByRole('heading', { name: 'CAROUSEL container' }).waitFor();
  await button(page, 'Publish').waitFor();
  await checkAccessibility();
  await button(page, 'Publish').click();
  await page.locator('.panel').getByText('published', { exact: true }).waitFor();
  t.deepEqual(complaints, []);
});

async function createReel(t: ExecutionContext<unknown>, system: DashboardSystem, channel: ConnectedChannel) {
  const { page, platform, visit } = system;
  await visit(`channels/${channel.publicId}/containers`);
  await button(page, 'Create container').first().click();
  await page.getByLabel('Type').selectOption('REELS');
  await page.getByLabel('Video URL').fill('https://media.example.com/1.mp4');
  await page.getByLabel('Thumbnail offset').fill('1500');
  await page.getByLabel('Location ID').fill('42');
  await page.getByLabel('Audio name').fill('Bells');
  await page.getByLabel('Trial reel').selectOption({ label: 'Yes, until it performs well' });
  await page.getByLabel('Also share to feed').uncheck();
  await button(page, 'Tag a person').click();
  await page.getByLabel('Username').fill('@some.user');
  await dialogButton(page, 'Create container').click();
  await page.getByRole('heading', { name: 'REELS container' }).waitFor();
  const [made] = platform.media.containers().filter(({ account }) => account === channel.resourceId);
  t.like(made?.parameters, {
    thumb_offset: '1500',
    location_id: '42',
    audio_name: 'Bells',
    share_to_feed: 'false',
    user_tags: '[{"username":"some.user"}]',
    trial_params: '{"graduation_strategy":"SS_PERFORMANCE"}',
  });
}
