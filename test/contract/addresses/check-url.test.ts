import test from 'ava';
import { parseCidrs } from '../../../contract/addresses/classify-address.ts';
import { checkUrl } from '../../../contract/addresses/check-url.ts';

const strict = { allowHttp: false, allow: [] };
const development = { allowHttp: true, allow: parseCidrs('127.0.0.0/8 ::1') };

test('an https URL with a public host is allowed', (t) => {
  const urls = [
    'https://example.com',
    'https://hooks.example.com:8443/a/b?c=d',
    'https://bücher.example/',
    'https://1.1.1.1/',
  ];
  urls.push('https://[2606:4700:4700::1111]/hook', 'https://example.com/hook#fragment', 'https://example.com./hook');
  for (const url of urls) t.deepEqual(checkUrl(url, strict), { ok: true }, url);
});

test('plain http is allowed only in development', (t) => {
  t.false(checkUrl('http://example.com/', strict).ok);
  t.true(checkUrl('http://example.com/', development).ok);
  t.false(checkUrl('ftp://example.com/', development).ok);
  t.false(checkUrl('file:///etc/passwd', development).ok);
});

test('a URL with a user name or password is refused', (t) => {
  for (const url of ['https://user@example.com/', 'https://user:pass@example.com/', 'https://:pass@example.com/']) {
    t.false(checkUrl(url, strict).ok, url);
  }
});

test('local names and names of metadata services are refused', (t) => {
  const hosts = [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'localhost.localdomain',
    'db.internal',
    'nas.local',
  ];
  hosts.push('metadata.google.internal', 'metadata', 'metadata.goog', 'Metadata.Google.Internal.');
  for (const host of hosts) t.false(checkUrl(`https://${host}/`, strict).ok, host);
});

test('a public name that looks local is allowed', (t) => {
  for (const host of ['localhost.example.com', 'mylocalhost.com', 'internal.example.com', '127.0.0.1.nip.example']) {
    t.true(checkUrl(`https://${host}/`, strict).ok, host);
  }
});

test('an allowed loopback block allows only loopback addresses and names', (t) => {
  for (const host of ['127.0.0.1:8080', 'localhost:8080', 'hooks.localhost', '[::1]:8080', '[::ffff:127.0.0.1]']) {
    t.true(checkUrl(`http://${host}/`, development).ok, host);
  }
  for (const host of ['10.0.0.1', '169.254.169.254', '[fe80::1]', 'metadata.google.internal']) {
    t.false(checkUrl(`http://${host}/`, development).ok, host);
  }
});

test('ports of other protocols are refused', (t) => {
  for (const port of [0, 22, 25, 5432, 6379]) t.false(checkUrl(`https://example.com:${port}/`, strict).ok, `${port}`);
  for (const port of [80, 443, 3000, 8080, 49152])
    t.true(checkUrl(`https://example.com:${port}/`, strict).ok, `${port}`);
});

// A parser keeps these characters in the origin, which pages write into their content security policy.
test('a host name with other characters than host names have is refused', (t) => {
  for (const character of [';', ',', "'", '"', '*', '!', '$', '&', '(', ')', '+', '=', '~', '`', '{', '}']) {
    t.false(checkUrl(`https://a${character}frame-ancestors/x`, strict).ok, character);
    t.false(checkUrl(`https://a.example${character}`, strict).ok, character);
  }
  for (const host of ['my_receiver.example', 'xn--bcher-kva.example', '9.example']) {
    t.true(checkUrl(`https://${host}/;a`, strict).ok, host);
  }
});

test('a string that is not a normalized URL is refused', (t) => {
  const urls = ['', 'example.com', '/hook', 'https://', 'https://...', 'https://exa mple.com', ' https://example.com'];
  urls.push(
    'https://exam\nple.com/',
    'https:\\\\example.com\\hook',
    'https://[::1',
    'https://256.256.256.256/',
    'https://a\u0000b/',
  );
  for (const url of urls) t.false(checkUrl(url, strict).ok, JSON.stringify(url));
});

test('a URL longer than 2048 characters is refused', (t) => {
  const prefix = 'https://example.com/';
  t.true(checkUrl(prefix.padEnd(2048, 'a'), strict).ok);
  t.false(checkUrl(prefix.padEnd(2049, 'a'), strict).ok);
});

test('a refusal has a reason', (t) => {
  t.deepEqual(checkUrl('http://example.com', strict), { ok: false, reason: 'The URL is not https' });
});

test('a host name that cannot be looked up is refused', (t) => {
  const name = (...lengths: number[]): string => lengths.map((length) => 'a'.repeat(length)).join('.');
  for (const host of [name(63, 63, 63, 61), `${name(63, 63, 63, 61)}.`, name(63, 1)]) {
    t.true(checkUrl(`https://${host}/`, strict).ok, `${host.length}`);
  }
  for (const host of [name(63, 63, 63, 62), name(64, 1), name(1994), 'a..example.com']) {
    t.false(checkUrl(`https://${host}/`, strict).ok, `${host.length}`);
  }
});
