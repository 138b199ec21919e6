import createFetchClient, { type FetchOptions } from 'openapi-fetch';
import type {
  FilterKeys,
  HttpMethod,
  MediaType,
  PathsWithMethod,
  RequiredKeysOf,
  ResponseObjectMap,
  SuccessResponse,
} from 'openapi-typescript-helpers';
import type { components, paths } from './api-types.ts';
import { ApiError, NetworkError, toApiError } from './errors.ts';
import { sendAbortable } from './send-abortable.ts';

export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

export interface ClientOptions {
  /** Without a trailing slash; empty in pages of the service. */
  readonly baseUrl: string;
  /** Optional. An API key or access token. Default: the browser's cookie. */
  readonly credential?: string | undefined;
  /** Optional. A request can override it. */
  readonly workspaceId?: string | undefined;
  readonly userAgent?: string | undefined;
  /** Optional. Default: 90 s. */
  readonly timeoutMs?: number | undefined;
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

type Options<Path extends keyof paths, Method extends HttpMethod> = FetchOptions<FilterKeys<paths[Path], Method>>;
type OptionalWhereEmpty<Given> = RequiredKeysOf<Given> extends never ? [options?: Given] : [options: Given];
export type Answer<Operation> =
  Operation extends Record<string | number, unknown> ? SuccessResponse<ResponseObjectMap<Operation>, MediaType> : never;
type Call<Method extends HttpMethod> = <Path extends PathsWithMethod<paths, Method>>(
  path: Path,
  ...options: OptionalWhereEmpty<Options<Path, Method>>
) => Promise<Method extends keyof paths[Path] ? Answer<paths[Path][Method]> : never>;

/** Calls return the response body. They throw ApiError for error responses, otherwise NetworkError. */
export interface ApiClient {
  readonly get: Call<'get'>;
  readonly post: Call<'post'>;
  readonly put: Call<'put'>;
  readonly patch: Call<'patch'>;
  readonly delete: Call<'delete'>;
  /** Returns the unread response, for streams and files. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
}

/** Operations wait for the platform for up to a minute. */
const DEFAULT_TIMEOUT_MS = 90_000;

/** Creates a typed client, which never retries. */
export function createClient({ baseUrl, timeoutMs = DEFAULT_TIMEOUT_MS, ...options }: ClientOptions): ApiClient {
  const send = options.fetch ?? ((request: Request) => globalThis.fetch(request));
  const identity = identityHeaders(options);

  async function answered(request: Request): Promise<Response> {
    for (const [name, value] of identity) if (!request.headers.has(name)) request.headers.set(name, value);
    const response = await send(request).catch((cause: unknown) => {
      throw noResponse(request, cause);
    });
    if (!response.ok) throw await toApiError(response);
    return response;
  }
  const client = createFetchClient<paths>({
    baseUrl,
    fetch: (request) => sendAbortable(answered, request, AbortSignal.timeout(timeoutMs)),
  });
  // Errors are thrown above, so only data is left.
  const bodyOf = (method: HttpMethod) => (path: never, options?: object) =>
    client.request(method, path, options as never).then(
      ({ data }) => data,
      (error: unknown) => {
        throw unreadable(error);
      },
    );
  return {
    get: bodyOf('get') as Call<'get'>,
    post: bodyOf('post') as Call<'post'>,
    put: bodyOf('put') as Call<'put'>,
    patch: bodyOf('patch') as Call<'patch'>,
    delete: bodyOf('delete') as Call<'delete'>,
    fetch: (path, init) => answered(new Request(`${baseUrl}${path}`, init)),
  };
}

function identityHeaders({ credential, workspaceId, userAgent }: Partial<ClientOptions>): [string, string][] {
  const headers: [string, string][] = [];
  if (credential !== undefined) headers.push(['authorization', `Bearer ${credential}`]);
  if (workspaceId !== undefined) headers.push(['x-workspace-id', workspaceId]);
  if (userAgent !== undefined) headers.push(['user-agent', userAgent]);
  return headers;
}

function noResponse({ url }: Request, cause: unknown): Error {
  if (cause instanceof Error && cause.name === 'AbortError') return cause; // aborted by the caller
  const because = cause instanceof Error && cause.name === 'TimeoutError' ? 'in time' : reasonOf(cause);
  return new NetworkError(`No response from ${new URL(url).origin} ${because}`, { cause });
}

/** Handles failures after the response headers. */
function unreadable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ApiError || error instanceof NetworkError) return error;
  if (error.name === 'AbortError') return error;
  const because = error.name === 'TimeoutError' ? 'did not arrive in time' : `could not be read ${reasonOf(error)}`;
  return new NetworkError(`The response ${because}`, { cause: error });
}

/** Node's fetch reports the reason only as the cause. */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return inner instanceof Error ? `(${inner.message})` : '';
}
