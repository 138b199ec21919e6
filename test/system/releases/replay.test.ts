import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { Worker } from '@temporalio/worker';
import { announcedPatches } from '../../../contract/announced-patches.ts';
import { workflowBundle } from '../../../worker/workflow-bundle.ts';
import { workflowTypes } from '../../../workflows/workflow-types.ts';
import { patient, quietTemporal } from '../../harness/temporal/quiet-temporal.ts';
import { historyPaths, parseHistory } from '../../workflows/histories/history-file.ts';
import { type CopiedVersion, lastRelease } from './last-release.ts';

/** Replays histories with the code of the last release, and its histories with the present code. */
quietTemporal();

const RULE = `A rollback gives runs of this code to the last release, which can't continue this one.
A run of an AUTO_UPGRADE workflow may contain only what the last release knows:
  - Guard a change with \`patched\`, and announce the patch in contract/announced-patches.ts for one release.
  - Or pin the workflow type. Its runs then stay on the version that started them.
A type that the last release does not have at all waits there: see the test below.
See docs/adr/0038-compatibility-with-the-last-release.md.`;

interface Bundle {
  readonly code: string;
}

/** Runs of a pinned type never reach a worker of another version. */
const behaviors: Readonly<Record<string, 'PINNED' | 'AUTO_UPGRADE'>> = Object.fromEntries(
  Object.entries(workflowTypes).map(([name, { behavior }]) => [name, behavior]),
);
const isPinned = (type: string): boolean => behaviors[type] === 'PINNED';
const typeOf = (history: string): string => history.split('.')[0]!;
const read = (path: string): string => readFileSync(path, 'utf8');

async function replay(bundle: Bundle, history: string): Promise<void> {
  await Worker.runReplayHistory({ ...patient, workflowBundle: bundle }, parseHistory(JSON.parse(history)), 'recorded');
}

function once<Result>(act: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => (result ??= act());
}

const release = await lastRelease();
if (release) await compareWith(release);
else test('without the tag of a release, this tree is compared with none', (t) => t.pass());

async function compareWith({ root, remove }: CopiedVersion): Promise<void> {
  test.after.always(() => remove());
  const importOld = async <Module>(path: string): Promise<Module> => await import(pathToFileURL(join(root, path)).href);
  const old = await importOld<Record<string, unknown>>('workflows/index.ts');
  const oldPaths = historyPaths(join(root, 'test/workflows/histories'));
  const presentBundle = once(() => workflowBundle());
  // The release's own function, as its worker calls it.
  const oldBundle = once(async () => {
    const module = await importOld<{ workflowBundle(): Promise<Bundle> }>('worker/workflow-bundle.ts');
    return await module.workflowBundle();
  });

  test('the last release has a history of each of its workflows', (t) => {
    const recorded = new Set([...oldPaths.keys()].map(typeOf));
    t.deepEqual(
      Object.keys(old).filter((type) => !recorded.has(type)),
      [],
    );
  });

  for (const [name, path] of oldPaths) {
    if (isPinned(typeOf(name))) continue;
    test(`${name}: a run of the last release replays with the present code`, async (t) => {
      await t.notThrowsAsync(replay(await presentBundle(), read(path)));
    });
  }

  for (const [name, path] of historyPaths()) {
    if (isPinned(typeOf(name))) continue;
    // This release writes no history with a patch that it only announces.
    if (announcedPatches.some((patch) => read(path).includes(patch))) continue;
    if (typeOf(name) in old) {
      test(`${name}: a present run replays with the last release`, async (t) => {
        await t.notThrowsAsync(replay(await oldBundle(), read(path)), RULE);
      });
    } else {
      // A failed workflow task is retried, so the run continues when the newer release is back.
      test(`${name}: a run of a new type waits in the last release`, async (t) => {
        await t.throwsAsync(replay(await oldBundle(), read(path)), { message: /no such function is exported/ });
      });
    }
  }

  /** A changed workflow may have no history of its new path. */
  test('each active patch of an unpinned workflow exists in the last release', async (t) => {
    const known = [...sourcesIn(join(root, 'workflows')), ...sourcesIn(join(root, 'contract'))].map(({ text }) => text);
    const isKnown = (patch: string): boolean => known.some((text) => text.includes(`'${patch}'`));
    const unknown: string[] = [];
    for (const { path, text } of sourcesIn(join(import.meta.dirname, '../../../workflows'))) {
      const exported: Record<string, unknown> = await import(pathToFileURL(path).href);
      const types = Object.keys(exported).filter((name) => name in behaviors);
      if (types.length > 0 && types.every(isPinned)) continue;
      const patches = [...text.matchAll(/\bpatched\('([^']+)'\)/g)].map(([, patch]) => patch!);
      unknown.push(...patches.filter((patch) => !announcedPatches.includes(patch) && !isKnown(patch)));
    }
    t.deepEqual(unknown, [], RULE);
  });
}

function sourcesIn(folder: string): { readonly path: string; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ path: join(folder, name), text: read(join(folder, name)) }));
}
