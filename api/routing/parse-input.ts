import type { z } from 'zod';
import { InvalidRequest } from '../requests/errors.ts';
import { isBodyOptional, type RouteDefinition } from '../../openapi/definitions/route-definition.ts';
import { isStorable, UNSTORABLE } from '../../openapi/definitions/fields.ts';
import { issueText } from '../../openapi/definitions/issue-text.ts';

/** Names every invalid field, including text that PostgreSQL can't store. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown, part: string): z.output<Schema> {
  const result = schema.safeParse(value, { error: issueText });
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
  const named = new Set<string>();
  return issues.flatMap((issue) => {
    if (issue.code === 'custom' || issue.code === 'unrecognized_keys') return problemsOf(issue, part);
    // An empty text also lacks a required form: one reason is enough.
    const path = issue.path.join('.');
    if (named.has(path)) return [];
    named.add(path);
    return problemsOf(issue, part);
  });
}

function problemsOf(issue: z.core.$ZodIssue, part: string): string[] {
  const at = [part, ...issue.path.map(String)].join('.');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, MAX_PROBLEMS + 1).map((key) => `${at}.${key}: unknown field`);
  return [`${at}: ${issue.message}`];
}

/** No body stands for an empty one where all of it is optional; `null` never does. Returns undefined if the route takes none. */
export function parseBody(route: Pick<RouteDefinition, 'method' | 'body'>, received: unknown): object | undefined {
  if (route.body === undefined) return undefined;
  const isEmpty = received === undefined && isBodyOptional(route);
  return parseInput(route.body, isEmpty ? {} : received, 'body');
}

interface Place {
  readonly value: unknown;
  readonly at: string;
}

/** Stored as bytes, which may contain U+0000. */
const KEPT_AS_BYTES: ReadonlySet<string> = new Set(['responseBody']);

/** Names every text, including field names, that PostgreSQL can't store. Iterative, because the input may be deep. */
function unstorableText(input: unknown, part: string): string[] {
  const problems: string[] = [];
  const waiting: Place[] = [{ value: input, at: part }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { value, at } = place;
    if (typeof value === 'string' && !isStorable(value)) problems.push(`${at}: ${UNSTORABLE}`);
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (!isStorable(key)) problems.push(`${at}: the name of a field ${UNSTORABLE}`);
      else if (isText(inner) && !KEPT_AS_BYTES.has(key)) waiting.push({ value: inner, at: `${at}.${key}` });
    }
  }
  return problems;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}

interface Problems {
  /** Collects an InvalidRequest and returns undefined. */
  readonly from: <Part>(read: () => Part | Promise<Part>) => Promise<Part | undefined>;
  /** Adds problems of the form `part.field: why`. */
  readonly add: (texts: readonly string[]) => void;
  readonly refuse: () => void;
}

export function collectProblems(): Problems {
  const problems: string[] = [];
  const refuse = (): void => {
    if (problems.length > 0) throw new InvalidRequest(`${[...new Set(problems)].join('; ')}.`);
  };
  return {
    from: async (read) => {
      try {
        return await read();
      } catch (error) {
        if (!(error instanceof InvalidRequest)) {
          refuse(); // invalid fields take precedence over other errors
          throw error;
        }
        problems.push(error.message.replace(/\.$/, ''));
        return undefined;
      }
    },
    add: (texts) => void problems.push(...texts),
    refuse,
  };
}
