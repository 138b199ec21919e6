import test from 'ava';
import { isInstallationFault } from '../../contract/deliveries/egress-errors.ts';
import { classifyFailure } from '../../egress/failure.ts';
import { createResolver } from '../../egress/resolve.ts';

const failureOf = (code: string): Error => Object.assign(new Error(code), { code });

for (const code of ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'ENETDOWN']) {
  test(`${code} is an internal error`, (t) => {
    const { error, detail } = classifyFailure(failureOf(code));
    t.is(error, 'sender_failed');
    t.is(detail, code);
    t.true(isInstallationFault(error));
  });
}

for (const code of ['ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET', 'EPIPE']) {
  test(`${code} is the destination's fault`, (t) => {
    t.false(isInstallationFault(classifyFailure(failureOf(code)).error));
  });
}

const lookUp = (code: string) =>
  createResolver({
    allowCidrs: [],
    lookup: () => Promise.reject(failureOf(code)),
    timeoutMs: 30_000,
    cacheMs: 0,
    failureCacheMs: 0,
  }).resolve('receiver.example.com');

for (const code of ['EAI_AGAIN', 'EAI_FAIL', 'ESERVFAIL', 'ETIMEOUT', 'ECONNREFUSED', 'EMFILE']) {
  test(`a resolver failure (${code}) is an internal error`, async (t) => {
    const failure = await t.throwsAsync(() => lookUp(code));
    t.true(isInstallationFault(classifyFailure(failure).error));
  });
}

for (const code of ['ENOTFOUND', 'ENODATA']) {
  test(`an unknown name (${code}) is the destination's fault`, async (t) => {
    const failure = await t.throwsAsync(() => lookUp(code));
    t.is(classifyFailure(failure).error, 'dns_not_found');
    t.false(isInstallationFault('dns_not_found'));
  });
}
