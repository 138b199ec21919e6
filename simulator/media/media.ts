import type { IncomingMessage, ServerResponse } from 'node:http';
import { readJson, sendJson } from '../servers/http-server.ts';
import { createMediaApi } from './api.ts';
import { createMediaCalls, type MediaCall } from './calls.ts';
import { parseMediaControl, type MediaControl, type MediaControlInput } from './control.ts';
import { mediaPage } from './page.ts';
import { createPublishQuota } from './quota.ts';
import { createMediaScript, type ProcessingTimes } from './script.ts';
import { createMediaStore, statusOf, type Container, type Post, type StatusCode } from './store.ts';

/**
 * The platform's side of publishing media: containers are made, processed for a while, published once or expire. It
 * never opens the addresses that it is given. `POST /control/media` says how long things take and what goes wrong,
 * `GET /control/media` shows what there is, `DELETE /control/media` forgets all of it; `GET /media` is for people.
 */
export interface MediaSide {
  /** Changes what is given and leaves the rest. */
  readonly control: (change: MediaControlInput) => void;
  /** Forgets every container, post and call, and what was scripted. */
  readonly reset: () => void;
  /** Oldest first, in their state of now. */
  readonly containers: () => MediaContainer[];
  readonly posts: () => Post[];
  /** Every call that arrived, also those whose answer was lost. */
  readonly calls: () => MediaCall[];
}

export interface MediaContainer extends Container {
  readonly statusCode: StatusCode;
}

export interface MediaOptions {
  readonly now?: () => number;
  readonly processing?: Partial<ProcessingTimes>;
}

interface MediaNeeds extends MediaOptions {
  readonly appSecret: string;
  /** What the accounts had posted before: in their lists, older than all that is published here. */
  readonly otherPosts?: () => readonly Post[];
}

interface AnsweringMedia extends MediaSide {
  /** False for an address that is not the media side's. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
}

export function createMedia(options: MediaNeeds): AnsweringMedia {
  const { appSecret, now: clock = Date.now, processing, otherPosts = () => [] } = options;
  const store = createMediaStore();
  const script = createMediaScript(processing);
  const quota = createPublishQuota({ store, script });
  const calls = createMediaCalls();
  const now = (): number => clock() + script.settings().clockOffsetSeconds * 1000;
  const api = createMediaApi({ appSecret, state: { store, script, quota, otherPosts }, calls, now });

  function apply(change: MediaControl): void {
    script.control(change);
    if (change.quota?.used !== undefined) quota.restart();
    if (change.faults ?? change.outcomes) api.forgetChildren();
  }

  const side: MediaSide = {
    control: (change) => apply(parseMediaControl(change)),
    reset() {
      script.reset();
      store.clear();
      calls.clear();
      api.forgetChildren();
    },
    containers: () => store.containers().map((each) => ({ ...each, statusCode: statusOf(each, now()) })),
    posts: () => store.posts(),
    calls: () => calls.list(),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const { pathname } = new URL(request.url ?? '/', 'http://platform');
    switch (`${request.method} ${pathname}`) {
      case 'GET /media':
        sendPage(response, mediaPage({ containers: store.containers(), posts: store.posts(), nowMs: now() }));
        return true;
      case 'POST /control/media':
        apply(parseMediaControl(await readJson(request)));
        sendJson(response, 200, { now: new Date(now()).toISOString(), settings: script.settings() });
        return true;
      case 'DELETE /control/media':
        side.reset();
        sendJson(response, 200, { now: new Date(now()).toISOString(), settings: script.settings() });
        return true;
      case 'GET /control/media': {
        const { containers, posts, calls: arrived } = side;
        const held = { containers: containers(), posts: posts(), calls: arrived() };
        sendJson(response, 200, { now: new Date(now()).toISOString(), settings: script.settings(), ...held });
        return true;
      }
      default:
        return await api.answer(request, response);
    }
  }

  return { ...side, answer };
}

function sendPage(response: ServerResponse, html: string): void {
  response.setHeader('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(html);
}
