import type { z } from 'zod';
import { InvalidRequest } from '../requests/errors.ts';
import { unstorableText } from './unstorable-text.ts';

/** Names every invalid field, including text that PostgreSQL can't store. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown, part: string): z.output<Schema> {
  const result = schema.safeParse(value);
  // Refused values may be arbitrarily deep, so only accepted ones are searched.
  const problems = result.success ? unstorableText(value, part) : schemaProblems(result.error.issues, part);
  if (result.success && problems.length === 0) return result.data;
  const shown = [...new Set(problems)].slice(0, MAX_PROBLEMS);
  const more = problems.length > MAX_PROBLEMS ? '; and more' : '';
  throw new InvalidRequest(`${shown.join('; ')}${more}.`);
}

/** A body may contain thousands of unknown fields. */
const MAX_PROBLEMS = 50;

function schemaProblems(issues: readonly z.core.$ZodIssue[], part: string): string[] {
  return issues.flatMap((issue) => problemsOf(issue, part));
}

function problemsOf(issue: z.core.$ZodIssue, part: string): string[] {
  const at = [part, ...issue.path.map(String)].join('.');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, MAX_PROBLEMS + 1).map((key) => `${at}.${key}: unknown field`);
  return [`${at}: ${issue.message}`];
}
