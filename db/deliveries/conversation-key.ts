import { hash } from 'node:crypto';

/** 48 bits fit into a number. A collision only orders two conversations. */
const CONVERSATION_HEX_DIGITS = 12;

/** A conversation with a person has the person's id. */
export function conversationKey(conversation: string): number {
  return Number.parseInt(hash('sha256', conversation, 'hex').slice(0, CONVERSATION_HEX_DIGITS), 16);
}
