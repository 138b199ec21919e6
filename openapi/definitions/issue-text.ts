import type { z } from 'zod';

/**
 * Returns what a value must be, for the schemas without a sentence of their own. The sentences of the library name its
 * types and show patterns, which say nothing to a person.
 */
export function issueText(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${types[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}`;
    case 'too_small':
      return `must ${sizeOf(issue, Number(issue.minimum), 'least')}`;
    case 'too_big':
      return `must ${sizeOf(issue, Number(issue.maximum), 'most')}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return formats[issue.format] ?? 'does not have the form that its description gives';
    case 'invalid_union':
      return 'has none of the forms that its description gives';
    case 'unrecognized_keys':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return undefined;
  }
}

const types: Readonly<Record<string, string>> = {
  string: 'a text, for example "hello"',
  number: 'a number, for example 10',
  int: 'a whole number, for example 10',
  boolean: 'true or false',
  array: 'a list, for example ["one", "two"]',
  object: 'an object, for example {}',
  record: 'an object, for example {}',
  null: 'null',
};

const formats: Readonly<Record<string, string>> = {
  url: 'must be a URL, for example https://example.com/hook',
  email: 'must be an email address, for example ann@example.com',
  datetime: 'must be an ISO 8601 time in UTC, for example 2026-01-31T12:00:00Z',
  date: 'must be a date, for example 2026-01-31',
  base64: 'must be base64, for example aGVsbG8=',
};

function sizeOf({ origin }: { readonly origin: string }, size: number, word: 'least' | 'most'): string {
  const count = `at ${word} ${size.toLocaleString('en-US')}`;
  if (origin === 'string') return `have ${count} ${size === 1 ? 'character' : 'characters'}`;
  if (origin === 'array' || origin === 'set') return `have ${count} ${size === 1 ? 'entry' : 'entries'}`;
  return `be ${count}`;
}
