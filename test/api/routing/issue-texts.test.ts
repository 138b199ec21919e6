import test from 'ava';
import { parseInput } from '../../../api/routing/parse-input.ts';
import { InvalidRequest } from '../../../api/requests/errors.ts';
import { routes } from '../../../openapi/route-table.ts';

/** Words of the validation library, and patterns. */
const raw =
  /Invalid (?:input|option|string|key|element|number)|Too (?:small|big)|Unrecognized|expected|received undefined|\/\^/;
const wrongValues = [1.5, -1, '', '\u0000', 'x', true, [], [{}], {}, null, 'x'.repeat(100_000)];

function messageOf(parse: () => unknown): string {
  try {
    parse();
    return '';
  } catch (error) {
    if (error instanceof InvalidRequest) return error.message;
    throw error;
  }
}

const inputs = routes.flatMap(({ operationId, query, body }) =>
  Object.entries({ query, body }).flatMap(([part, schema]) => (schema ? [{ operationId, part, schema }] : [])),
);

test('no refusal shows words of the validation library', (t) => {
  for (const { operationId, part, schema } of inputs) {
    const fields = Object.keys(schema.shape);
    for (const value of [undefined, ...wrongValues]) {
      const given = value === undefined ? {} : Object.fromEntries(fields.map((field) => [field, value]));
      t.notRegex(
        messageOf(() => parseInput(schema, given, part)),
        raw,
        operationId,
      );
    }
  }
});

test('a refusal of a missing field names the field', (t) => {
  const missing = inputs.map(({ part, schema }) => messageOf(() => parseInput(schema, {}, part)));
  const refused = missing.filter((message) => message !== '');
  t.true(refused.length > 50);
  for (const message of refused) t.regex(message, /^(?:query|body)\.?[\w.]*: /);
});
