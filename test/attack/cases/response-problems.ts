import { type ErrorCode, statusByErrorCode } from '../../../contract/errors.ts';
import type { Answer } from './http-call.ts';

export function refusalProblem(answer: Answer, expected?: ErrorCode): string | undefined {
  const { status, headers, text } = answer;
  if (status < 300) return `It answers ${status}: ${text}`;
  if (status >= 500 && !(expected !== undefined && statusByErrorCode[expected] === status))
    return `It answers ${status}: ${text}`;
  const body = objectIn(text);
  if (body === undefined) return `The ${status} has no Error object: ${text}`;
  if (body['statusCode'] !== status || typeof body['code'] !== 'string')
    return `The Error object is not whole: ${text}`;
  if (body['requestId'] !== headers['x-request-id']) return 'The x-request-id is not the one of the Error object.';
  if (/\bat \S+:\d+|node_modules|\.ts\b|select .* from/i.test(String(body['message'])))
    return `It shows its code: ${text}`;
  if (expected !== undefined && body['code'] !== expected)
    return `It answers ${String(body['code'])}, not ${expected}: ${text}`;
  return undefined;
}

/** Success and refusal are both allowed. */
export function failureProblem(answer: Answer, allowed: readonly number[] = []): string | undefined {
  if (answer.status < 500 || allowed.includes(answer.status)) return undefined;
  return `It answers ${answer.status}: ${answer.text}`;
}

export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
