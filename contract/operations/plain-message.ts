export interface PlainMessage {
  readonly to: string;
  readonly text: string;
}

/** The platform's format never has a string as `text`. */
export function isPlainMessage(message: object): message is PlainMessage {
  return 'text' in message && typeof message.text === 'string';
}
