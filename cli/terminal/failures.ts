import { CommanderError } from 'commander';
import type { Schema } from '../../client/create-client.ts';
import { ApiError, NetworkError } from '../../client/errors.ts';
import { hintFor } from './hints.ts';

export const exitCodes = {
  ok: 0,
  failure: 1,
  validation: 2,
  forbidden: 3,
  auth: 4,
  network: 5,
  conflict: 6,
  /** Convention for programs ended by Ctrl-C. */
  interrupted: 130,
} as const;
type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

interface CliErrorOptions {
  readonly exitCode: ExitCode;
  readonly hint?: string | undefined;
}

export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;

  constructor(message: string, { exitCode, hint }: CliErrorOptions) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

export function usageError(message: string, hint?: string): CliError {
  return new CliError(message, { exitCode: exitCodes.validation, hint });
}

export interface Failure {
  readonly exitCode: number;
  readonly message: string;
  readonly code: string | null;
  readonly statusCode: number | null;
  readonly requestId: string | null;
  readonly hint: string | null;
  readonly probes?: readonly Schema<'WebhookProbe'>[];
}

/** A refused save of a webhook, with what its probes found. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
  override readonly cause: ApiError;
  readonly probes: readonly Schema<'WebhookProbe'>[];

  constructor(cause: ApiError, probes: readonly Schema<'WebhookProbe'>[]) {
    super(cause.message);
    this.cause = cause;
    this.probes = probes;
  }
}

export function failureOf(error: unknown): Failure {
  if (error instanceof VerificationError) return { ...failureOf(error.cause), probes: error.probes };
  const plain = { code: null, statusCode: null, requestId: null, hint: null };
  if (error instanceof ApiError) {
    const { message, code, statusCode, requestId } = error;
    return { exitCode: exitCodeOf(error), message, code, statusCode, requestId, hint: hintFor(error) };
  }
  if (error instanceof NetworkError) {
    const hint =
      'Check that the service is running and that --base-url or BASE_URL is correct. `channels whoami` shows the URL in use.';
    return { ...plain, exitCode: exitCodes.network, message: error.message, hint };
  }
  if (error instanceof CliError) {
    return { ...plain, exitCode: error.exitCode, message: error.message, hint: error.hint ?? null };
  }
  if (error instanceof CommanderError) {
    const exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.validation;
    return { ...plain, exitCode, message: error.message };
  }
  return { ...plain, exitCode: exitCodes.failure, message: error instanceof Error ? error.message : String(error) };
}

const byStatus: Readonly<Record<number, ExitCode>> = {
  400: exitCodes.validation,
  401: exitCodes.auth,
  403: exitCodes.forbidden,
  409: exitCodes.conflict,
  413: exitCodes.validation,
  415: exitCodes.validation,
  422: exitCodes.validation,
  429: exitCodes.conflict,
};

function exitCodeOf({ code, statusCode }: ApiError): ExitCode {
  if (code === 'OTP_INVALID' || code === 'OTP_EXPIRED') return exitCodes.auth;
  // A proxy responded instead of the service.
  if (code === 'UNKNOWN' && statusCode >= 500) return exitCodes.network;
  return byStatus[statusCode] ?? exitCodes.failure;
}
