export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed if it is JSON, otherwise text. */
  readonly body: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests validate it against the document
}

export async function readAnswer(response: Response): Promise<ApiAnswer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
