import { type BodyBox, BodyUnreadable, type StoredBody } from '../../db/core/body-box.ts';
import type { Log } from '../../process/log.ts';
import { HttpError } from '../requests/errors.ts';

export interface OpenBodiesNeeds {
  readonly bodyBox: BodyBox;
  readonly log: Log;
}

export interface OpenBodies {
  /** Throws BODY_UNREADABLE if the body can't be decrypted. */
  payload(stored: StoredBody): Buffer;
  /** Returns undefined instead. */
  attempt(stored: StoredBody): Buffer | undefined;
}

export function openBodies({ bodyBox, log }: OpenBodiesNeeds, deliveryId: string): OpenBodies {
  return { payload, attempt };

  function payload(stored: StoredBody): Buffer {
    const body = attempt(stored);
    if (body) return body;
    throw new HttpError(
      'BODY_UNREADABLE',
      'The stored body cannot be decrypted. The operator must restore the key that encrypted it.',
    );
  }

  function attempt(stored: StoredBody): Buffer | undefined {
    try {
      return bodyBox.open(stored);
    } catch (error) {
      if (!(error instanceof BodyUnreadable)) throw error;
      log.error('body.openFailed', { deliveryId, encryptionKeyId: error.keyId, errorCode: error.code });
      return undefined;
    }
  }
}
