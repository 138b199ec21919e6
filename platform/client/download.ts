import type { Readable } from 'node:stream';
import type { Agent } from 'undici';
import { beginReport } from './call-report.ts';
import { PlatformRejected, PlatformUnavailable } from './errors.ts';
import {
  boundedText,
  parseJson,
  type PlatformCall,
  type PlatformClientOptions,
  send,
  unavailable,
} from './send-call.ts';
import { codesOf, rejectionOf, traceOf, retryAfterSeconds } from './rejection.ts';

export interface PlatformFile {
  readonly bytes: Readable;
  readonly contentType: string | null;
  readonly length: number | null;
}

interface Download {
  readonly options: PlatformClientOptions;
  readonly call: PlatformCall;
  readonly secrets: readonly string[];
}

/** Reports the call when the headers arrive. Throws PlatformRejected for a 4xx response, else PlatformUnavailable. */
export async function openDownload(agent: Agent, { options, call, secrets }: Download): Promise<PlatformFile> {
  const end = beginReport(call.onCall, { method: 'GET', path: call.path });
  try {
    const { statusCode: status, headers, body } = await send(agent, options, { ...call, headers: { accept: '*/*' } });
    if (status >= 200 && status < 300) {
      end({ status, error: null, platformRequestId: traceOf(headers['x-fb-trace-id'], undefined) });
      const length = /^\d{1,15}$/.test(`${headers['content-length']}`) ? Number(headers['content-length']) : null;
      const contentType = headers['content-type'];
      return { bytes: body, contentType: typeof contentType === 'string' ? contentType : null, length };
    }
    const value = parseJson(await boundedText(body));
    end({ status, error: codesOf(value) ?? 'no code', platformRequestId: traceOf(headers['x-fb-trace-id'], value) });
    const rejected = rejectionOf({ status, value, secrets, retryAfterSeconds: retryAfterSeconds(headers, new Date()) });
    if (status >= 400 && status < 500) throw rejected;
    throw new PlatformUnavailable(`The platform answered ${status}`, { cause: rejected });
  } catch (error) {
    if (error instanceof PlatformRejected) throw error;
    const failure = unavailable(error);
    if (!failure.notSent) end({ status: null, error: failure.message, platformRequestId: null });
    throw failure;
  }
}
