import type { IncomingMessage } from 'node:http';

export interface Incoming {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly method: string;
}

/** `/v25.0/<id>/<edge>` */
export interface Address extends Incoming {
  readonly id: string;
  readonly edge: string;
}

const OBJECT = /^\/v\d+\.\d+\/([^/]{1,400})(?:\/([a-z_]{1,40}))?$/;

export function incomingOf(request: IncomingMessage): Incoming {
  return { request, url: new URL(request.url ?? '/', 'http://platform'), method: request.method ?? 'GET' };
}

export function objectAddress(incoming: Incoming): Address | undefined {
  const [, id, edge = ''] = OBJECT.exec(incoming.url.pathname) ?? [];
  if (id === undefined) return undefined;
  try {
    return { ...incoming, id: decodeURIComponent(id), edge };
  } catch {
    return undefined;
  }
}

export function originOf({ request }: Incoming): string {
  return `http://${request.headers.host ?? 'platform'}`;
}
