import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { readCertificateEnds } from '../../process/certificates.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const pem = (base64: string): Buffer =>
  Buffer.from(`-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`);

/** Self-signed. Ended in 2026. */
const early = pem('MIIBdDCCARmgAwIBAgIUckSli7L9DwPd8MP3kZiE/CFjpvgwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEdGVzdDAeFw0yNjExMjMxMjE4MTNaFw0yNjExMjQxMjE4MTNaMA8xDTALBgNVBAMMBHRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQN+E0k3rAJhgIlvay5ITWlCfiSFFFs8geImNHsjcLQq/876X2t8VAtN4SnliLDytUuZP2vqWr4YAcEiP5Emfwto1MwUTAdBgNVHQ4EFgQUibBlzs86xD7l1Qi+4IyPfgRCX0cwHwYDVR0jBBgwFoAUibBlzs86xD7l1Qi+4IyPfgRCX0cwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEA86eDwsgdMrQPEBAJgtd7DeraUnqq1iuivIh8CQZjgEYCIQD7P0MYVRvJPlEv8NBR8oZxqOeGMza8pqmPbJdKPq/V1g=='); // prettier-ignore
/** Self-signed. Ends in 2126. */
const late = pem('MIIBdTCCARugAwIBAgIUbCC++B10DeCq8ZCyzHKXidtd9RQwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEdGVzdDAgFw0yNjExMjMxMjE4MTNaGA8yMTI2MTAzMDEyMTgxM1owDzENMAsGA1UEAwwEdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKSEKmBkA6K9DTfHq91N8RfalejQmV5zTeVqmegnCJyJLlNsq43+un1p1QUH1GWQ6dbejVCL42CX33wvKb3QKXajUzBRMB0GA1UdDgQWBBQvqxb9CdUo5IQg3OKCVLwYWzTV+DAfBgNVHSMEGDAWgBQvqxb9CdUo5IQg3OKCVLwYWzTV+DAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIFnk361Akgj9GkQjP4PG7fG8Snl5OEUm/rKUsd1SLqlYAiEAnQXZZy5ZC3B0Ke6SFYbF8GPT+SGeLagTcQ0JfE7doeU='); // prettier-ignore

test('a bundle ends with its last certificate, a chain with its first', async (t) => {
  const bundle = Buffer.concat([early, late]);
  const temporalTls = { serverRootCACertificate: bundle, clientCertPair: { crt: bundle, key: bundle } };
  const found = await readCertificateEnds({ databaseUrl: 'postgres://127.0.0.1/db', temporalTls });
  t.deepEqual(
    found.map(({ certificate, endsAt }) => [certificate, endsAt.getUTCFullYear()]),
    [
      ['temporal_ca', 2126],
      ['temporal_client', 2026],
    ],
  );
});

test('the certificates of the database are read from its URL', async (t) => {
  const folder = await temporaryFolder(t);
  const authority = join(folder, 'ca.crt');
  const own = join(folder, 'client.crt');
  writeFileSync(authority, late);
  writeFileSync(own, early);
  const url = (rest: string): string => `postgres://user@127.0.0.1/db?sslmode=verify-full${rest}`;
  const ends = async (rest: string) =>
    (await readCertificateEnds({ databaseUrl: url(rest), temporalTls: true })).map(({ certificate }) => certificate);
  t.deepEqual(await ends(`&sslrootcert=${authority}&sslcert=${own}`), ['database_ca', 'database_client']);
  t.deepEqual(await ends('&sslrootcert=system'), []);
  t.deepEqual(await ends(''), []);
  await t.throwsAsync(ends('&sslcert=/nowhere/client.crt'), { code: 'ENOENT' });
});
