import test from 'ava';
import { z } from 'zod';
import { idempotencyKeyField } from '../../../openapi/definitions/fields.ts';
import { lastEventIdField } from '../../../openapi/deliveries/routes.ts';
import { routes } from '../../../openapi/route-table.ts';

/** Values that no pattern takes. */
const broken = ['\u0001', '', ' ', '!', '@@', 'x'.repeat(3_000)];

/** Every schema of the input, below unions, arrays, defaults and transforms, too. */
function schemasIn(schema: unknown, found = new Set<z.ZodType>()): Set<z.ZodType> {
  if (typeof schema !== 'object' || schema === null) return found;
  if (schema instanceof z.ZodType) {
    if (found.has(schema)) return found;
    found.add(schema);
    const def: object = schema.def;
    for (const part of Object.values(def)) schemasIn(part, found);
    return found;
  }
  const isPlain = Array.isArray(schema) || Object.getPrototypeOf(schema) === Object.prototype;
  if (isPlain) for (const part of Object.values(schema)) schemasIn(part, found);
  return found;
}

function messagesOf(schema: z.ZodType, value: unknown): string[] {
  try {
    return schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];
  } catch {
    // A check of a whole object needs one.
    return [];
  }
}

test('no error about a request shows a pattern', (t) => {
  const inputs = routes.flatMap(({ operationId, body, query }) => [
    ...(body ? [[`${operationId} body`, body] as const] : []),
    ...(query ? [[`${operationId} query`, query] as const] : []),
  ]);
  t.true(inputs.length > 50);
  const headers = [['Idempotency-Key', idempotencyKeyField] as const, ['Last-Event-ID', lastEventIdField] as const];
  for (const [name, schema] of [...inputs, ...headers]) {
    for (const each of schemasIn(schema)) {
      const shown = broken
        .flatMap((value) => messagesOf(each, value))
        .filter((message) => /pattern|\/\^|\[\w-|Invalid ISO/.test(message));
      t.deepEqual(shown, [], name);
    }
  }
});

test('a malformed platform id in a path is explained in words', (t) => {
  const parameters = routes.flatMap((route) => Object.values(route.parameters));
  const expected = parameters.flatMap((each) => (each.kind === 'platformId' ? [each.expected] : []));
  t.true(expected.length > 3);
  for (const words of expected) {
    t.true(words.startsWith('must be '), words);
    t.notRegex(words, /[\\^$]/);
  }
});

test('a schema without words for its pattern is found', (t) => {
  const bare = z.strictObject({
    list: z.array(
      z
        .string()
        .regex(/^[a-z]$/)
        .optional(),
    ),
  });
  const messages = [...schemasIn(bare)].flatMap((each) => messagesOf(each, '!'));
  t.true(messages.some((message) => message.includes('pattern')));
});
