import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiAnswer, readAnswer } from '../api/api-answer.ts';

export interface ApiClient {
  call(route: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<ApiAnswer>;
  /**
   * Repeats a call while the API answers that it could not do it in time, as on a busy machine. For calls that may be
   * made twice.
   */
  callUntilDone(route: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<ApiAnswer>;
}

export interface ApiCredentials {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly workspaceId: string;
}

export function apiClient({ baseUrl, apiKey, workspaceId }: ApiCredentials): ApiClient {
  const call: ApiClient['call'] = async (route, body, headers = {}) => {
    const [method = '', path = ''] = route.split(' ');
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        'x-workspace-id': workspaceId,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return await readAnswer(response);
  };
  return { call, callUntilDone: (...request) => untilDone(() => call(...request)) };
}

const AGAIN_MS = 200;
const GIVE_UP_MS = 240_000;
/** The API's deadlines for the database, for the start of a workflow and for its result have passed. */
const lateCodes: readonly unknown[] = ['SERVICE_UNAVAILABLE', 'WORKFLOW_UNAVAILABLE', 'PLATFORM_OUTCOME_UNKNOWN'];

export function isLate({ body }: ApiAnswer): boolean {
  return lateCodes.includes(body?.code);
}

/** Returns the last answer if the API never does it in time. */
export async function untilDone(call: () => Promise<ApiAnswer>, isUndone = isLate): Promise<ApiAnswer> {
  const untilMs = performance.now() + GIVE_UP_MS;
  for (;;) {
    const answer = await call();
    if (!isUndone(answer) || performance.now() > untilMs) return answer;
    await sleep(AGAIN_MS);
  }
}
