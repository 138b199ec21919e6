import { createSecretKey } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { BodyBudget } from '../../process/body-budget.ts';
import { parseSha256Header } from '../../contract/deliveries/signature.ts';
import { verifyPlatformSignature } from '../../platform/webhooks/verify-signature.ts';
import { platformSignatureHeader } from '../../platform/webhooks/wire.ts';
import { MalformedJson, TooManyRequests } from '../requests/errors.ts';
import { TooManyWaiting } from './group-commit.ts';
import type { PlatformEvents } from './platform-events.ts';
import { readBytes } from '../requests/read-bytes.ts';

export interface TakeWebhookDeps {
  readonly events: PlatformEvents;
  /** A webhook may be signed with any of them. */
  readonly appSecrets: readonly string[];
  readonly bodies: BodyBudget;
}

export interface PlatformWebhook {
  readonly req: IncomingMessage;
  readonly clientAddress: string;
}

/** Resolves after the commit. Throws `HttpError` if the events were not accepted. */
export type TakeWebhook = (webhook: PlatformWebhook) => Promise<'accepted' | 'unsigned'>;

/** The platform's largest bodies are about 3 MB. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const BUSY_RETRY_SECONDS = 1;

export function createTakeWebhook({ events, appSecrets, bodies }: TakeWebhookDeps): TakeWebhook {
  const appKeys = appSecrets.map((secret) => createSecretKey(secret, 'utf8'));
  return async ({ req, clientAddress }) => {
    const header = signatureOf(req);
    // Refuses unsigned requests before reading the body.
    if (parseSha256Header(header) === undefined) return 'unsigned';
    const reservation = bodies.open(clientAddress);
    try {
      const body = await readBytes({ req }, { maxBytes: MAX_BODY_BYTES, reservation });
      if (!verifyPlatformSignature({ body, header, appSecrets: appKeys })) return 'unsigned';
      reservation.trust();
      if ((await events.accept(body).catch(busyError)) === 'malformed') throw new MalformedJson('The body is not JSON');
      return 'accepted';
    } finally {
      reservation.release();
    }
  };
}

function signatureOf({ headers }: IncomingMessage): string | undefined {
  const header = headers[platformSignatureHeader];
  return typeof header === 'string' ? header : undefined;
}

function busyError(error: unknown): never {
  if (error instanceof TooManyWaiting) throw new TooManyRequests(BUSY_RETRY_SECONDS, { cause: error });
  throw error;
}
