export interface PlainMessage {
  readonly to: string;
  readonly text: string;
}

/** In the platform's own words, a text is never a plain string. */
export function isPlainMessage(message: object): message is PlainMessage {
  return 'text' in message && typeof message.text === 'string';
}
