import { z } from 'zod';
import { isJsonObject } from '../../contract/is-json-object.ts';

/**
 * What a handler may return for a body of the document: a record that has more fields, which the answer omits, and dates
 * instead of times.
 */
export type Presentable<Body> = Body extends string
  ? Body | (string extends Body ? Date : never)
  : Body extends readonly (infer Item)[]
    ? readonly Presentable<Item>[]
    : Body extends object
      ? { readonly [Field in keyof Body]: Presentable<Body[Field]> }
      : Body;

/** Returns the fields that the schema names, with times as text, so that no handler lists them again. */
export function presentAnswer(schema: unknown, answer: unknown): unknown {
  if (answer instanceof Date) return answer.toISOString();
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return presentAnswer(schema.unwrap(), answer);
  if (schema instanceof z.ZodArray && Array.isArray(answer)) {
    return answer.map((item) => presentAnswer(schema.element, item));
  }
  if (!(schema instanceof z.ZodObject) || !isJsonObject(answer) || isOpen(schema)) return answer;
  const shown = Object.entries(schema.shape).filter(([field]) => field in answer);
  return Object.fromEntries(shown.map(([field, inner]) => [field, presentAnswer(inner, answer[field])]));
}

function isOpen({ def }: z.ZodObject): boolean {
  return def.catchall !== undefined && !(def.catchall instanceof z.ZodNever);
}
