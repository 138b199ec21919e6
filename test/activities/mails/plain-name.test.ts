import test from 'ava';
import fc from 'fast-check';
import { invitationMail } from '../../../activities/people/invitation-mail.ts';
import { plainName } from '../../../activities/mails/mail-body.ts';

for (const [given, shown] of [
  ['Acme Inc.', 'Acme Inc'],
  ["Müller & Söhne, O'Brien", "Müller & Söhne, O'Brien"],
  ['株式会社 日本', '株式会社 日本'],
  ['Studio 54', 'Studio 54'],
  ['Win at https://evil.example/now', 'Win at evil example now'],
  ['WWW.evil.example', 'evil example'],
  ['mail boss@evil.example', 'mail boss evil example'],
  ['evil。example', 'evil example'],
  ['evil．example', 'evil example'],
  ['evil․example', 'evil example'],
  ['evil\u00b7example', 'evil example'],
  ['evil\ua4f8example', 'evil example'],
  ['ｗｗｗ．evil．ｃｏｍ', 'evil com'],
  ['Acme\r\nBcc: all', 'Acme Bcc all'],
  ['Acme\u202egro.live', 'Acme gro live'],
  ['Call +1-800-123-4567 now', 'Call now'],
  ['18001234567', ''],
  ['Call 800 123 4567 now', 'Call now'],
  ['Call (800) 123-4567', 'Call'],
  ['Call 8 0 0 1 2 3 4 5 6 7', 'Call'],
  ['Call８００１２３４５６７', ''],
  ['Call ①②③④⑤⑥', 'Call'],
  ['Ring 0049b30b1234', 'Ring'],
  ['Since 1984', 'Since 1984'],
  ['...', ''],
  ['x'.repeat(200), 'x'.repeat(40)],
] as const) {
  test(`an email shows ${JSON.stringify(given).slice(0, 60)} as ${JSON.stringify(shown)}`, (t) => {
    t.is(plainName(given), shown);
  });
}

test('no name yields an address, a link or a line break', (t) => {
  const dots = fc.constantFrom('.', '。', '．', '｡', '․', '\u2024', '@', '＠', '://', '/', '\\', '\n', '\u2028', '%2e');
  const parts = fc.array(
    fc.oneof(
      dots,
      fc.string({ unit: 'binary' }),
      fc.constantFrom('www', 'com', 'http', '+1', '800', '555', '٤', '４', '⑦', '𝟕'),
    ),
    {
      maxLength: 20,
    },
  );
  fc.assert(
    fc.property(parts, (given) => {
      const name = plainName(given.join(''));
      return /^[\p{L}\p{M}0-9 '&,+-]{0,40}$/u.test(name) && name.replace(/\D/g, '').length <= 4;
    }),
    { numRuns: 2_000 },
  );
  t.pass();
});

test('the subject of an invitation contains no user text', (t) => {
  const texts = fc.record({
    organizationName: fc.string({ unit: 'binary', maxLength: 200 }),
    organizationId: fc.constant('org_12345678'),
    token: fc.constant('token'),
    inviterEmail: fc.constant('ann@example.com'),
    expiresInDays: fc.constant(7),
    baseUrl: fc.constant('https://api.example.com'),
  });
  const lineCount = invitationMail(fc.sample(texts, 1)[0]!).text.split(/\r\n|[\n\r\u2028\u2029]/u).length;
  fc.assert(
    fc.property(texts, (text) => {
      const mail = invitationMail(text);
      return (
        mail.subject === 'You have been invited to join an organization' &&
        mail.text.split(/\r\n|[\n\r\u2028\u2029]/u).length === lineCount
      );
    }),
  );
  t.pass();
});
