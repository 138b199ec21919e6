export interface PlainMessage {
  readonly to: string;
  readonly text: string;
}

/** Messages in the platform's format never have a plain string as `text`. */
export function isPlainMessage(message: object): message is PlainMessage {
  return 'text' in message && typeof message.text === 'string';
}
