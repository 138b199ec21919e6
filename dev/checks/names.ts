import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes } from '../../contract/errors.ts';
import { eventTypes } from '../../contract/event-types.ts';
import { failureTypes } from '../../contract/failures.ts';
import { taskQueues } from '../../contract/task-queues.ts';
import { projectRoot, sourceFiles } from './source-files.ts';

/** Names that histories, clients or dashboards rely on, by kind. */
export type Names = Readonly<Record<string, readonly string[]>>;

/**
 * Collects the names that are wire format from the sources. Run as a script it adds new ones to the checked-in list;
 * it never removes one, because that is a decision: old histories, clients and alerts still say the name.
 */
export function namesInUse(): Names {
  const workflows = sources(/^workflows\/.*\.ts$/);
  const product = sources(
    /^(?:activities|admin|api|db|egress|gateway|platform|process|simulator|worker|workflow-starts)\/.*\.ts$/,
  );
  return {
    workflows: matches(sources(/^workflows\/index\.ts$/), /\bexport \{([^}]+)\}/g).flatMap(namesIn),
    activities: matches(workflows, /\bconst \{([^}]+)\} = proxy(?:Local)?Activities\b/g).flatMap(namesIn),
    signals: matches(workflows, /\bdefineSignal(?:<[^(]*>)?\(\s*'([^']+)'/g),
    queries: matches(workflows, /\bdefineQuery(?:<[^(]*>)?\(\s*'([^']+)'/g),
    updates: matches(workflows, /\bdefineUpdate(?:<[^(]*>)?\(\s*'([^']+)'/g),
    searchAttributes: matches(
      `${workflows}${sources(/^contract\/.*\.ts$/)}`,
      /\bdefineSearchAttributeKey\(\s*'([^']+)'/g,
    ),
    taskQueues: sorted(Object.values(taskQueues)),
    failureTypes: sorted(Object.values(failureTypes)),
    errorCodes: sorted(Object.keys(errorCodes)),
    eventTypes: sorted(eventTypes),
    logEvents: matches(product, /\blog\.(?:debug|info|warn|error)\(\s*'([^']+)'/g),
  };
}

export function listedNames(): Names {
  return JSON.parse(readFileSync(listPath, 'utf8'));
}

const listPath = join(projectRoot, 'test', 'dev', 'checks', 'names.json');

function sources(pattern: RegExp): string {
  return sourceFiles(pattern)
    .map((path) => readFileSync(join(projectRoot, path), 'utf8'))
    .join('\n');
}

function matches(text: string, pattern: RegExp): string[] {
  return sorted([...text.matchAll(pattern)].map(([, name = '']) => name));
}

function namesIn(list: string): string[] {
  return list.split(',').flatMap((name) => name.trim() || []);
}

function sorted(names: Iterable<string>): string[] {
  return [...new Set(names)].sort();
}

if (import.meta.main) {
  const listed = listedNames();
  const merged = Object.entries(namesInUse()).map(([kind, names]) => [
    kind,
    sorted([...(listed[kind] ?? []), ...names]),
  ]);
  writeFileSync(listPath, `${JSON.stringify(Object.fromEntries(merged), null, 2)}\n`);
}
