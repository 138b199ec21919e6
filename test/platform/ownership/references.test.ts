import test from 'ava';
import { scanJson } from '../../../contract/envelope/json-tape.ts';
import { readFormParameters, readJsonParameters } from '../../../platform/ownership/references.ts';

function idsOfJson(body: unknown): readonly string[] | undefined {
  const json = scanJson(Buffer.from(JSON.stringify(body)));
  if ('faultAtByte' in json) return undefined;
  const reading = readJsonParameters(json);
  return reading.ok ? reading.ids : undefined;
}

const recipient = { comment_id: '17_99' };

for (const [shape, body] of Object.entries({
  'as an object': { recipient },
  'as a list of one object': { recipient: [recipient] },
  'as JSON in a string': { recipient: JSON.stringify(recipient) },
  'as JSON in a string twice over': { recipient: JSON.stringify(JSON.stringify(recipient)) },
})) {
  test(`the id of a recipient's comment is found ${shape}`, (t) => {
    t.deepEqual(idsOfJson(body), ['17_99']);
  });
}

test("the id of a recipient's comment is found in a form", (t) => {
  const reading = readFormParameters(new URLSearchParams({ recipient: JSON.stringify(recipient) }).toString());
  t.like(reading, { ok: true, ids: ['17_99'] });
});
