import type { z } from 'zod';
import { InvalidRequest } from '../errors.ts';
import { unstorableText } from './unstorable-text.ts';

/** Checks a part of the request; the refusal names every wrong field. Text that the database can't keep is one. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown, part: string): z.output<Schema> {
  const result = schema.safeParse(value);
  const unstorable = unstorableText(value, part);
  if (result.success && unstorable.length === 0) return result.data;
  const issues = result.success ? [] : result.error.issues;
  const problems = [...unstorable, ...issues.flatMap((issue) => problemsOf(issue, part))];
  const shown = [...new Set(problems)].slice(0, MAX_PROBLEMS);
  const more = problems.length > MAX_PROBLEMS ? '; and more' : '';
  throw new InvalidRequest(`${shown.join('; ')}${more}.`);
}

/** More than any honest request has wrong; a body full of invented fields must not come back as a longer answer. */
const MAX_PROBLEMS = 50;

function problemsOf(issue: z.core.$ZodIssue, part: string): string[] {
  const at = [part, ...issue.path.map(String)].join('.');
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `${at}.${key}: unknown field`);
  return [`${at}: ${issue.message}`];
}
