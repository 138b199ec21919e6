import test from 'ava';
import type { Definition, Entry } from '../../cli/commands/definition.ts';
import { isInHeader } from '../../cli/commands/route.ts';
import { entries } from '../../cli/entries.ts';
import type { RouteDefinition } from '../../openapi/definitions/route-definition.ts';
import { routes } from '../../openapi/route-table.ts';

const routeOf = new Map(routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route]));

function definitionsIn(all: readonly Entry[]): Definition[] {
  return all.flatMap((entry) => {
    if ('usage' in entry) return [entry];
    return 'entries' in entry ? definitionsIn(entry.entries) : [];
  });
}

const called = definitionsIn(entries).flatMap((definition): { definition: Definition; route: RouteDefinition }[] => {
  const { call } = definition;
  return call === undefined ? [] : [{ definition, route: routeOf.get(call)! }];
});

/** What the request gets of the flags. A function of the command may use them otherwise. */
function fieldsOf({ flags = {}, ...definition }: Definition): string[] {
  if ('input' in definition) return [];
  return Object.entries(flags).flatMap(([name, [, , kind]]) => (kind?.isLocal ? [] : [name]));
}

test('most commands call a route', (t) => {
  t.true(called.length > 100, `${called.length}`);
  t.deepEqual(
    called.filter(({ route }) => route === undefined).map(({ definition }) => definition.call),
    [],
  );
});

test('the flags of a command are fields of its route', (t) => {
  for (const { definition, route } of called) {
    const fields = Object.keys(route.body?.shape ?? route.query?.shape ?? {});
    const unknown = fieldsOf(definition).filter((name) => !fields.includes(name));
    t.deepEqual(unknown, [], definition.call);
  }
});

test('commands have the flags for pages and repetition that routes take', (t) => {
  for (const { definition, route } of called) {
    const { flags = {} } = definition;
    t.is('all' in flags, route.method === 'get' && 'cursor' in (route.query?.shape ?? {}), definition.call);
    if ('idempotencyKey' in flags) t.true(route.idempotent, definition.call);
  }
});

test('commands send the workspace in a header where routes require it', (t) => {
  for (const { definition, route } of called) {
    const isRequired = route.access.auth !== 'none' && route.access.within === 'header';
    t.is(isInHeader(route.path), isRequired, definition.call);
  }
});
