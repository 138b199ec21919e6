/** Without `event` and `data` it only sets the client's last event id. */
export interface Frame {
  readonly id?: string | undefined;
  readonly event?: string;
  readonly data?: unknown;
  readonly comment?: string;
  readonly retryMs?: number;
}

/** JSON contains no line breaks, so the data fits on one line. */
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
