import test from 'ava';
import { readText, readYaml } from './manifests.ts';

const guide = readText('docs/operators.md');
const [, steps = ''] = /^### Restore to a moment\n.*?```sh\n(.*?)```/ms.exec(guide) ?? [];
const PREFIX = 'docker compose -f deploy/compose.yaml ';

test('the steps of a restore name services and commands that exist', (t) => {
  const { services } = readYaml<{ services: Record<string, unknown> }>('deploy/compose.yaml');
  const lines = steps.trim().split('\n');
  t.deepEqual(
    lines.filter((line) => !line.startsWith(PREFIX)),
    [],
  );
  const commands = lines.map((line) => line.slice(PREFIX.length).split('#')[0]!.trim());
  const named = commands.flatMap((command) => {
    const [verb, ...words] = command.replace(/'[^']*'/g, '').split(' ');
    const names = words.filter((word) => /^[a-z]/.test(word));
    return verb === 'run' ? names.slice(0, 1) : names;
  });
  for (const name of named) t.true(name in services, name);
  t.deepEqual(
    ['restore', 'search-attributes', 'after-restore'].map((word) => commands.findIndex((one) => one.includes(word))),
    [1, 3, 4],
    'in the order in which test/faults/restore runs them',
  );
});

test('settings of the backups in the guide have the defaults of Compose', (t) => {
  const compose = readText('deploy/compose.yaml');
  const defaults = { POSTGRES_ARCHIVE_TIMEOUT: '60s', BACKUP_EVERY_HOURS: '24', BACKUP_KEEP: '7' };
  for (const [name, value] of Object.entries(defaults)) {
    t.true(compose.includes(`\${${name}:-${value}}`), name);
    const shown = value.replace('s', ' s');
    t.regex(guide, new RegExp(`\`${name}\`\\s\\(${shown}\\)`));
  }
});
