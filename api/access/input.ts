import type { z } from 'zod';
import { InvalidRequest } from '../errors.ts';

/** Checks a part of the request; the refusal names every wrong field. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown, part: string): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.flatMap((issue) => problemsOf(issue, part));
  throw new InvalidRequest(`${[...new Set(problems)].join('; ')}.`);
}

function problemsOf(issue: z.core.$ZodIssue, part: string): string[] {
  const at = [part, ...issue.path.map(String)].join('.');
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `${at}.${key}: unknown field`);
  return [`${at}: ${issue.message}`];
}
