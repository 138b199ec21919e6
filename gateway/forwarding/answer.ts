import { pipeline } from 'node:stream/promises';
import { addressFields, platformHosts, forwardedResponseHeaders } from '../../platform/forwarding/gateway-headers.ts';
import { proofOf } from '../../platform/client/app-secret-proof.ts';
import { apiVersions } from '../../platform/client/chatapp-word.ts';
import { isPlatformAddress } from '../../platform/client/platform-address.ts';
import type { Log } from '../../process/log.ts';
import type { JsonTape } from '../../contract/envelope/json-tape.ts';
import { refusalOf } from '../../platform/client/refusals.ts';
import { type RefusalCodes, refusalCodes, rewriteAnswer } from '../../platform/forwarding/rewrite-answer.ts';
import { limitBytes, readBounded } from '../upstream/bounded-body.ts';
import type { ChannelCall } from '../calls/call.ts';
import type { ChannelDirectory, GatewayLimits } from '../calls/deps.ts';
import { PayloadTooLarge, PlatformUnreachable } from '../../process/http-errors.ts';
import type { AddressUse, SealedAddresses } from './sealed-address.ts';
import { noteDeadCredential, type UpstreamAnswer } from '../upstream/upstream.ts';

export interface Answering {
  /** Optional. Files of users are not searched for errors and addresses. */
  readonly isFile?: boolean;
  /** Optional. Selects the fields whose addresses are sealed. */
  readonly addresses?: AddressUse;
  readonly learn?: (json: JsonTape) => Promise<void>;
  /** Optional. The platform's word for the product, for a caller that sent the neutral one. Default: kept. */
  readonly chatappWord?: string;
}

/** Removes credentials and seals addresses. */
export type SendAnswer = (call: ChannelCall, answer: UpstreamAnswer, answering?: Answering) => Promise<void>;

interface AnswerNeeds {
  readonly apiUrl: string;
  readonly appSecret: string;
  readonly gatewayUrl: string;
  readonly limits: GatewayLimits;
  readonly sealed: SealedAddresses;
  readonly channels: ChannelDirectory;
  readonly log: Log;
}

export function createSendAnswer(needs: AnswerNeeds): SendAnswer {
  const { apiUrl, appSecret, gatewayUrl, limits, sealed } = needs;
  const hosts: ReadonlySet<string> = new Set([new URL(apiUrl).host, ...platformHosts]);

  /** Calls to a sealed address carry the credential, so its host must be the platform's. */
  const isSafe = (url: string): boolean => isPlatformAddress(url, apiUrl);

  async function giveText(call: ChannelCall, answer: UpstreamAnswer, answering: Answering): Promise<void> {
    const { addresses, learn, chatappWord } = answering;
    const { account, channel, response } = call;
    const secrets = [account.token, proofOf(account.token, appSecret), appSecret];
    const bytes = await readBounded(answer, limits.answerBytes);
    const rewritten = rewriteAnswer(bytes, {
      secrets,
      hosts,
      gatewayUrl,
      version: apiVersions[channel.type],
      ...(chatappWord !== undefined && { chatappWord }),
      addressFields: addresses === undefined ? [] : addressFields[addresses],
      sealAddress: (url) => (isSafe(url) ? sealed.seal(addresses ?? 'media', channel.channelPublicId, url) : ''),
    });
    const refusal = refusalCodes(rewritten.json);
    answer.finish(refusal?.text);
    if (refusal) logRefusal(call, answer.status, refusal);
    if (refusal) await noteDeadCredential(needs, call, refusal);
    if (answer.status < 300 && rewritten.json) await learn?.(rewritten.json);
    const headers = answerHeaders(answer, secrets);
    response.writeHead(answer.status, { ...headers, 'content-length': rewritten.bytes.length });
    response.end(rewritten.bytes);
  }

  async function giveFile(call: ChannelCall, answer: UpstreamAnswer): Promise<void> {
    const length = Number(answer.headers['content-length'] ?? Number.NaN);
    if (length > limits.fileBytes) {
      answer.finish('too_large');
      discardBody(answer);
      throw new PayloadTooLarge(limits.fileBytes);
    }
    const headers = answerHeaders(answer, [call.account.token]);
    call.response.writeHead(answer.status, { ...headers, ...(length >= 0 && { 'content-length': length }) });
    try {
      await pipeline(answer.body, limitBytes(limits.fileBytes), call.response);
      answer.finish();
    } catch {
      // Only an aborted connection can report an incomplete file now.
      answer.finish(call.isGone() ? 'caller_gone' : 'answer_lost');
      call.response.destroy();
    }
  }

  return async (call, answer, answering = {}) => {
    call.logFields['platformStatus'] = answer.status;
    if (isCompressed(answer)) {
      answer.finish('unreadable');
      discardBody(answer);
      throw answer.lost(
        new PlatformUnreachable('The platform sent a compressed response, which the gateway cannot read.'),
      );
    }
    const isFile = !isText(answer, limits.answerBytes) || (answering.isFile === true && answer.status < 300);
    await (isFile ? giveFile(call, answer) : giveText(call, answer, answering));
  };
}

/** Names what the refusal means by the code that a typed operation answers with. */
function logRefusal({ logFields, request }: ChannelCall, status: number, refused: RefusalCodes): void {
  const { code, mayBeDone } = refusalOf(request.method === 'GET' ? 'read' : 'write', { ...refused, status });
  Object.assign(logFields, { platformCode: refused.text, refusal: code, mayBeDone });
}

/** The client reports an unread body as an error, which would end the process without a listener. */
function discardBody({ body }: UpstreamAnswer): void {
  body.on('error', () => undefined).destroy();
}

function isCompressed({ headers }: UpstreamAnswer): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && encoding !== 'identity';
}

/** Omits values that contain a secret. */
function answerHeaders({ headers }: UpstreamAnswer, secrets: readonly string[]): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of forwardedResponseHeaders) {
    const value = headers[name];
    if (typeof value === 'string' && !secrets.some((secret) => value.includes(secret))) passed[name] = value;
  }
  return passed;
}

const FILE = /^\s*(?:(?:image|audio|video|font)\/|application\/(?:octet-stream|pdf|zip|vnd\.|msword))/i;
const TEXT = /^\s*(?:text\/|application\/(?:[\w.+-]*json|[\w.+-]*javascript|xml|[\w.+-]*\+xml|x-www-form-urlencoded))/i;

/** Text is read whole and searched for secrets; the rest is streamed. */
function isText({ headers }: UpstreamAnswer, maxBytes: number): boolean {
  const type = headers['content-type'];
  if (typeof type !== 'string') return true;
  if (TEXT.test(type)) return true;
  return !FILE.test(type) && !(Number(headers['content-length']) > maxBytes);
}
