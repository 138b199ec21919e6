import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { projectRoot, sourceFiles } from '../../dev/checks/source-files.ts';
import { proofParameter } from '../../platform/client/app-secret-proof.ts';
import { chatappWordField } from '../../platform/client/chatapp-word.ts';
import { subjectRules } from '../../platform/ownership/edges.ts';

/** Edges with the names of nouns of the service. */
const ours = /^(?:media_publish|message_templates|scheduled_posts)$/;
const edges = Object.values(subjectRules).flatMap((rule) => Object.keys(rule.edges));
/** Edges of one word, such as `feed`, have other meanings too. */
const wireEdges = edges.filter((edge) => edge.includes('_') && !ours.test(edge));

const words = new RegExp(
  [
    ...['\\bx-fb-', '\\bfbtrace', '\\b2207\\d{3}\\b', '\\berror_subcode\\b', '\\bphone_number_id\\b'],
    ...[proofParameter, chatappWordField, ...wireEdges].map((word) => `\\b${word}\\b`),
  ].join('|'),
);
/** Compared with numbers, or listed. HTTP statuses have other names. */
const codes = /\b(?:sub)?code (?:===|>=) \d|\b(?:sub)?codes: \[-?\d|new Set\(\[\d+, \d+/;

/** The event catalogue and the examples describe payloads, which are delivered as received. Usage knows calls by their logged path. */
const described =
  /^(?:contract\/webhooks\/sample-event|openapi\/events\/event-catalogue|openapi\/examples\/[\w-]+|client\/api-types|db\/usage\/usage-sources)\.ts:/;

function linesOf(path: RegExp, text: RegExp): string[] {
  const files = sourceFiles(/\.tsx?$/).filter((file) => path.test(file));
  return files.flatMap((file) =>
    readFileSync(join(projectRoot, file), 'utf8')
      .split('\n')
      .flatMap((line, at) => (text.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  );
}

test('wire words of the platform appear only in its folder', (t) => {
  const product =
    /^(?:activities|admin|api|cli|client|contract|dashboard|db|egress|gateway|metrics|openapi|process(?!\/platform-settings)|worker|workflow-starts|workflows)\//;
  const elsewhere = linesOf(product, words).filter((line) => !described.test(line));
  t.deepEqual(elsewhere, []);
  t.deepEqual(linesOf(/^test\/gateway\//, /\bx-fb-/), []);
});

test("only the platform folder interprets the platform's codes", (t) => {
  t.deepEqual(linesOf(/^(?:activities|gateway)\//, codes), []);
  t.true(linesOf(/^platform\//, codes).length > 3, 'where they are, they are found');
});
