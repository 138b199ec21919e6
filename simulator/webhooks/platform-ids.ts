import { randomBytes, randomInt } from 'node:crypto';
import type { ChannelType } from '../../contract/event-types.ts';

/** A fresh message id of the form that the platform gives in this product. */
export function newMessageId(product: ChannelType): string {
  switch (product) {
    case 'chatapp':
      return `wamid.${randomBytes(33).toString('base64')}`;
    case 'photoapp':
      return `aWdfZAG1faXRlbToxOk${randomBytes(48).toString('base64url')}`;
    case 'pageapp':
      return `m_${randomBytes(48).toString('base64url')}`;
  }
}

/** A fresh numeric id, as comments, posts and media have it. */
export function newNumericId(): string {
  return `1${randomInt(1e8).toString().padStart(8, '0')}${randomInt(1e8).toString().padStart(8, '0')}`;
}
