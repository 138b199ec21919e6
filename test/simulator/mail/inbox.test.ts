import test from 'ava';
import { createMailer, MailRefused } from '../../../activities/mails/mailer.ts';
import { anInbox } from '../../harness/people/email-codes.ts';

const from = 'Sender <no-reply@example.com>';
const html = '<p>Hello</p>';

test('an email is read as it was sent, in any script', async (t) => {
  const inbox = await anInbox(t);
  const mailer = createMailer({ url: inbox.smtpUrl, from });
  const text = `Grüße, 世界 👋\n\n    123456\n\n${'long '.repeat(40).trim()}\n.a line with a dot = 100 %`;
  await mailer.send({
    to: 'Ann@Example.com',
    subject: 'Ünïcode: ein sehr langer Betreff, der umgebrochen werden muss 👋',
    text,
    html: '<p style="color: red">Grüße, 世界 👋 = 100 %</p>',
  });
  await mailer.send({ to: 'bob@example.com', subject: 'plain', text: 'ascii\n', html });
  mailer.close();

  const [bob, ann] = inbox.messages();
  t.like(ann, { from: 'no-reply@example.com', to: ['ann@example.com'], text, number: 1 });
  t.is(ann!.subject, 'Ünïcode: ein sehr langer Betreff, der umgebrochen werden muss 👋');
  t.like(bob, { subject: 'plain', text: 'ascii', html });
});

test('messages are listed by address and awaited', async (t) => {
  const inbox = await anInbox(t);
  const mailer = createMailer({ url: inbox.smtpUrl, from });
  const list = async (query: string) => {
    const answer = await fetch(`${inbox.url}/messages?${query}`);
    return JSON.parse(await answer.text()).messages;
  };
  t.deepEqual(await list('to=ann@example.com'), []);
  const awaited = list('to=ANN@example.com&waitMs=20000');
  await mailer.send({ to: 'bob@example.com', subject: 'one', text: 'for Bob', html });
  await mailer.send({ to: 'ann@example.com', subject: 'two', text: 'for Ann', html });
  t.like(await awaited, [{ subject: 'two', number: 2 }]);
  t.is((await list('')).length, 2);
  t.deepEqual(await list('to=ann@example.com&after=2&waitMs=1'), []);
  await mailer.send({ to: 'ann@example.com', subject: 'three', text: 'x', html });
  t.like(await list('after=2'), [{ number: 3 }]);
  mailer.close();
});

test('the page escapes the contents of emails', async (t) => {
  const inbox = await anInbox(t);
  const mailer = createMailer({ url: inbox.smtpUrl, from });
  await mailer.send({ to: 'ann@example.com', subject: '<b>bold</b>', text: '<script>alert("x")</script>', html });
  mailer.close();
  const page = await fetch(inbox.url);
  const shown = await page.text();
  t.regex(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  t.false(shown.includes('<script>') || shown.includes('<b>'));
  t.true(shown.includes('&lt;script&gt;'));
});

test('unknown addresses and invalid numbers are refused', async (t) => {
  const inbox = await anInbox(t);
  t.is((await fetch(`${inbox.url}/other`)).status, 404);
  t.is((await fetch(`${inbox.url}/messages?after=-1`)).status, 400);
  t.is((await fetch(`${inbox.url}/healthz`)).status, 200);
});

test('a permanent refusal differs from an unreachable server, without its text', async (t) => {
  const inbox = await anInbox(t);
  const mailer = createMailer({ url: inbox.smtpUrl, from });
  const refused = await t.throwsAsync(
    mailer.send({ to: 'ann@example.com', subject: 'secret', text: 'secret '.repeat(50_000), html }),
    { instanceOf: MailRefused },
  );
  t.false(refused.message.includes('secret') || refused.message.includes('ann@'));
  await inbox.stop();
  const away = await t.throwsAsync(mailer.send({ to: 'ann@example.com', subject: 's', text: 't', html }));
  t.false(away instanceof MailRefused);
  mailer.close();
});

test('the HTML of an email is shown without scripts', async (t) => {
  const inbox = await anInbox(t);
  const mailer = createMailer({ url: inbox.smtpUrl, from });
  await mailer.send({ to: 'ann@example.com', subject: 'one', text: 'one', html: '<p>One</p>' });
  mailer.close();
  t.true((await (await fetch(inbox.url)).text()).includes('href="/messages/1/html"'));
  const shown = await fetch(`${inbox.url}/messages/1/html`);
  t.is((await shown.text()).trim(), '<p>One</p>');
  const policy = shown.headers.get('content-security-policy') ?? '';
  t.regex(policy, /default-src 'none'.*sandbox/);
  t.false(policy.includes('script'));
  t.is((await fetch(`${inbox.url}/messages/2/html`)).status, 404);
  t.false((await (await fetch(`${inbox.url}/messages`)).text()).includes('<p>'), 'lists have the text only');
});
