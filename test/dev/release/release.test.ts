import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import test from 'ava';
import { version } from '../../../contract/version.ts';
import { projectRoot } from '../../../dev/checks/source-files.ts';
import { changelogProblem } from '../../../dev/release/release-state.ts';
import { releaseCopy, type ReleaseCopy } from './release-copy.ts';

/** The packages that the command line and the client contain. */
const packaged = [
  'bundle-name',
  'commander',
  'default-browser',
  'default-browser-id',
  'define-lazy-prop',
  'eventsource-parser',
  'is-docker',
  'is-in-ssh',
  'is-inside-container',
  'is-wsl',
  'jq-wasm',
  'open',
  'openapi-fetch',
  'openapi-typescript-helpers',
  'powershell-utils',
  'run-applescript',
  'supports-hyperlinks',
  'wsl-utils',
];

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

interface Locked {
  readonly version: string;
  readonly dev?: true;
  readonly devOptional?: true;
  readonly link?: true;
}
const lock: { packages: Record<string, Locked> } = JSON.parse(
  await readFile(join(projectRoot, 'package-lock.json'), 'utf8'),
);
const urlsOf = (isDevelopment: boolean): Set<string> => {
  const entries = Object.entries(lock.packages).filter(
    // A package that only development and optional peers need is in neither list.
    ([path, { link, dev, devOptional }]) =>
      path.startsWith('node_modules/') && !link && devOptional !== true && (dev ?? false) === isDevelopment,
  );
  return new Set(entries.map(([path, one]) => `pkg:npm/${path.replace(/^.*node_modules\//, '').replace('@', '%40')}@${one.version}`)); // prettier-ignore
};
const production = urlsOf(false);
const development = [...urlsOf(true)].filter((url) => !production.has(url));

async function sums(copy: ReleaseCopy): Promise<Map<string, string>> {
  const lines = (await copy.read('SHA256SUMS')).toString('utf8').trim().split('\n');
  return new Map(lines.map((line) => line.split('  ').reverse() as [string, string]));
}

async function json(copy: ReleaseCopy, name: string) {
  return JSON.parse((await copy.read(name)).toString('utf8'));
}

test('a release has the same bytes wherever its commit is built', async (t) => {
  t.timeout(300_000);
  const [first, second] = await Promise.all([releaseCopy(t), releaseCopy(t)]);
  const ends = await Promise.all([first.release(), second.release()]);
  for (const { code, stderr } of ends) t.is(code, 0, stderr);
  t.deepEqual(await sums(first), await sums(second));
  t.is((await sums(first)).size, 9);
  await verifyFiles();
  await verifyBills();

  async function verifyFiles(): Promise<void> {
    const digests = await sums(first);
    for (const [name, digest] of digests) t.is(sha256Of(await first.read(name)), digest, name);
    const statement = await json(first, `messaging-channels-${version}.intoto.json`);
    t.is(statement._type, 'https://in-toto.io/Statement/v1');
    t.is(statement.predicateType, 'https://slsa.dev/provenance/v1');
    const subjects = new Map(statement.subject.map((one: { name: string; digest: { sha256: string } }) => [one.name, one.digest.sha256])); // prettier-ignore
    digests.delete(`messaging-channels-${version}.intoto.json`);
    t.deepEqual(subjects, digests);
    const [repository, locked, ...contained] = statement.predicate.buildDefinition.resolvedDependencies;
    t.regex(repository.digest.gitCommit, /^[0-9a-f]{40}$/);
    t.is(locked.digest.sha256, sha256Of(await readFile(join(first.folder, 'package-lock.json'))));
    t.deepEqual(contained.map(({ uri }: { uri: string }) => uri.replace(/@[\d.]+(?:-jq.*)?$/, '')).sort(), packaged.map((name) => `pkg:npm/${name}`)); // prettier-ignore
    const archive = gunzipSync(await first.read(`messaging-channels-${version}.tar.gz`));
    t.true(archive.includes(`messaging-channels-${version}/package.json\0`));
    t.false(archive.includes(`messaging-channels-${version}/dist/`));
  }

  async function verifyBills(): Promise<void> {
    const bill = await json(first, `messaging-channels-${version}.cdx.json`);
    verifyCycloneDx(bill);
    const listed = new Set(bill.components.map(({ purl }: { purl: string }) => purl));
    t.deepEqual([...production].filter((url) => !listed.has(url)), []); // prettier-ignore
    t.deepEqual(development.filter((url) => listed.has(url)), []); // prettier-ignore
    const spdx = await json(first, `messaging-channels-${version}.spdx.json`);
    t.is(spdx.spdxVersion, 'SPDX-2.3');
    t.regex(spdx.creationInfo.created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    t.regex(spdx.documentNamespace, /^https:.*-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const spdxIds = new Set(spdx.packages.map(({ SPDXID }: { SPDXID: string }) => SPDXID));
    for (const { spdxElementId: from, relatedSpdxElement: to } of spdx.relationships)
      t.true(
        [from, to].every((id) => id === 'SPDXRef-DOCUMENT' || spdxIds.has(id)),
        `${from} ${to}`,
      );
    t.is(spdx.packages.length, listed.size + 1);
    for (const [name, count] of [
      ['cli', 17],
      ['client', 3],
    ] as const) {
      // prettier-ignore
      const packageBill = await json(first, `messaging-channels-${name}-${version}.cdx.json`);
      verifyCycloneDx(packageBill);
      t.is(packageBill.metadata.component.name, `@messaging-channels/${name}`);
      t.is(packageBill.components.length, count, name);
    }
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a parsed document
  function verifyCycloneDx(bill: any): void {
    t.is(bill.bomFormat, 'CycloneDX');
    t.regex(bill.specVersion, /^1\.\d$/);
    t.regex(bill.serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    t.is(bill.metadata.timestamp, '2026-11-23T12:00:00.000Z');
    t.is(bill.metadata.component.version, version);
    const components: Record<string, string>[] = [bill.metadata.component, ...bill.components];
    const refs = new Set(components.map((one) => one['bom-ref']));
    t.is(refs.size, components.length, 'a bom-ref is unique');
    for (const { type, name, purl } of components)
      t.true(Boolean(type && name) && /^pkg:npm\/[^@]+@[^@]+$/.test(purl ?? ''), purl);
    for (const { hashes } of bill.components) t.regex(hashes[0].content, /^[0-9a-f]{128}$/);
    for (const { ref, dependsOn } of bill.dependencies)
      t.deepEqual([ref, ...dependsOn].filter((one) => !refs.has(one)), []); // prettier-ignore
  }
});

test('a release of uncommitted files is refused', async (t) => {
  t.timeout(300_000);
  const copy = await releaseCopy(t);
  await writeFile(join(copy.folder, 'contract/new.ts'), '');
  const { code, stderr } = await copy.release();
  t.is(code, 1);
  t.regex(stderr, /differs from its commit.*\n\?\? contract\/new\.ts/);
  await rm(join(copy.folder, 'contract/new.ts'));
  await writeFile(join(copy.folder, 'README.md'), 'changed');
  t.regex((await copy.release()).stderr, / M README\.md/);
});

test('a version without a dated changelog entry is refused', (t) => {
  const dated = '# Changelog\n\n## [0.2.0] - 2026-11-23\n\n### Added\n\n- A thing.\n\n## [0.1.0] - 2026-11-22\n';
  t.is(changelogProblem(dated, '0.2.0'), undefined);
  t.regex(changelogProblem(dated, '0.3.0')!, /no section for 0\.3\.0/);
  t.regex(changelogProblem(dated, '0.1.0')!, /0\.1\.0 .* is empty/);
  t.regex(changelogProblem(dated.replace(' - 2026-11-23', ''), '0.2.0')!, /0\.2\.0 .* has no date/);
});
