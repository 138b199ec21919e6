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
import { ApiError, NetworkError, refusalOf } from './errors.ts';
import { sendAbortable } from './send-abortable.ts';

/** A record of the API by its name in the OpenAPI document. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

export interface ClientOptions {
  /** Where the service is, without a slash at the end; in a page of the service, an empty string. */
  readonly baseUrl: string;
  /** An API key, or the access token of a session; left out, the browser's cookie speaks. */
  readonly credential?: string | undefined;
  /** Goes into X-Workspace-Id of every request; one request can name another in its headers. */
  readonly workspaceId?: string | undefined;
  readonly userAgent?: string | undefined;
  /** After which a request without an answer is given up. */
  readonly timeoutMs?: number | undefined;
  /** The global one where left out. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

type Options<Path extends keyof paths, Method extends HttpMethod> = FetchOptions<FilterKeys<paths[Path], Method>>;
type OptionalWhereEmpty<Given> = RequiredKeysOf<Given> extends never ? [options?: Given] : [options: Given];
type Answer<Operation> =
  Operation extends Record<string | number, unknown> ? SuccessResponse<ResponseObjectMap<Operation>, MediaType> : never;
type Call<Method extends HttpMethod> = <Path extends PathsWithMethod<paths, Method>>(
  path: Path,
  ...options: OptionalWhereEmpty<Options<Path, Method>>
) => Promise<Method extends keyof paths[Path] ? Answer<paths[Path][Method]> : never>;

/** Each call answers with the body of a success, and throws ApiError for a refusal, NetworkError where none came. */
export interface ApiClient {
  readonly get: Call<'get'>;
  readonly post: Call<'post'>;
  readonly put: Call<'put'>;
  readonly patch: Call<'patch'>;
  readonly delete: Call<'delete'>;
  /** Any request with the client's credential, its answer unread: streams, files. Throws as the others do. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
}

/** Long enough for the slowest operations, which wait for the platform up to a minute. */
const DEFAULT_TIMEOUT_MS = 90_000;

/** A client of the management API, typed by its OpenAPI document. It repeats nothing by itself. */
export function createClient({ baseUrl, timeoutMs = DEFAULT_TIMEOUT_MS, ...options }: ClientOptions): ApiClient {
  const send = options.fetch ?? ((request: Request) => globalThis.fetch(request));
  const identity = identityHeaders(options);

  async function answered(request: Request): Promise<Response> {
    for (const [name, value] of identity) if (!request.headers.has(name)) request.headers.set(name, value);
    const response = await send(request).catch((cause: unknown) => {
      throw noAnswer(request, cause);
    });
    if (!response.ok) throw await refusalOf(response);
    return response;
  }
  const client = createFetchClient<paths>({
    baseUrl,
    fetch: (request) => sendAbortable(answered, request, AbortSignal.timeout(timeoutMs)),
  });
  // The library types its answers as one of data and error; refusals are thrown above, so that data alone is left.
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

function noAnswer({ url }: Request, cause: unknown): Error {
  if (cause instanceof Error && cause.name === 'AbortError') return cause; // the caller's own wish
  const because = cause instanceof Error && cause.name === 'TimeoutError' ? 'in time' : reasonOf(cause);
  return new NetworkError(`No answer from ${new URL(url).origin} ${because}`, { cause });
}

/** What went wrong behind the head of an answer: it broke off, took too long, or was none of the service's. */
function unreadable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ApiError || error instanceof NetworkError) return error;
  if (error.name === 'AbortError') return error;
  const because = error.name === 'TimeoutError' ? 'did not come in time' : `could not be read ${reasonOf(error)}`;
  return new NetworkError(`The answer ${because}`, { cause: error });
}

/** Node's fetch says only that it failed; why stands in the cause of its error. */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return inner instanceof Error ? `(${inner.message})` : '';
}
