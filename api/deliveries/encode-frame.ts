/** One server-sent event, or only a new place to go on from where it has no name. */
export interface Frame {
  readonly id?: string | undefined;
  readonly event?: string;
  readonly data?: unknown;
  readonly comment?: string;
  /** How long a client waits before it connects again. */
  readonly retryMs?: number;
}

/** The bytes of an event. JSON has no line breaks of its own, so that the data is always one line. */
export function encodeFrame({ id, event, data, comment, retryMs }: Frame): string {
  const lines = [
    comment !== undefined && `: ${comment}`,
    retryMs !== undefined && `retry: ${retryMs}`,
    id !== undefined && `id: ${id}`,
    event !== undefined && `event: ${event}`,
    data !== undefined && `data: ${JSON.stringify(data)}`,
  ];
  return `${lines.filter((line) => line !== false).join('\n')}\n\n`;
}
