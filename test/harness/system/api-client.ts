export interface ApiClient {
  call(route: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<ApiAnswer>;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  // Other tests validate responses against the OpenAPI document.
  readonly body: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- see above
}

export interface ApiCredentials {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly workspaceId: string;
}

export function apiClient({ baseUrl, apiKey, workspaceId }: ApiCredentials): ApiClient {
  return {
    async call(route, body, headers = {}) {
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
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    },
  };
}
