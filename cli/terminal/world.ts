/** Where text and bytes go: a terminal, a file or a pipe. */
export interface Writer {
  write(text: string | Uint8Array): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** All that the program touches beyond itself, so that a test runs it in its own process. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Writer;
  readonly stderr: Writer;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined };
  readonly fetch: (request: Request) => Promise<Response>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Holds the profiles and the state of listeners. */
  readonly configFolder: string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}
