export interface Writer {
  write(text: string | Uint8Array): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** Tests replace it to run the program in-process. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Writer;
  readonly stderr: Writer;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined };
  readonly fetch: (request: Request) => Promise<Response>;
  readonly now: () => number;
  readonly configFolder: string;
  /** Optional. Whether the terminal makes links clickable. Default: false. */
  readonly hasHyperlinks?: boolean;
  /** Optional. Opens a browser. Rejects without one. Default: no browser. */
  readonly openBrowser?: (url: string) => Promise<void>;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}
