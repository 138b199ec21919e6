import type { ServerResponse } from 'node:http';
import type { LoggedCall } from '../scripted-api/call-log.ts';
import { createControl, type Answering } from '../scripted-api/control.ts';
import { createMediaApi } from './api.ts';
import { mediaControl, type MediaControl, type MediaControlInput, type MediaFault } from './control.ts';
import { mediaPage } from './page.ts';
import { createPublishQuota } from './quota.ts';
import { createMediaScript, type ProcessingTimes } from './script.ts';
import { createMediaStore, statusOf, type Container, type Post, type StatusCode } from './store.ts';
import { createMediaSubjects } from './subject.ts';

/**
 * The platform's media API. Containers are processed for a while, then published once or expire. `/control/media`
 * scripts it; the page at `GET /media` lists the contents.
 */
export interface MediaApi {
  readonly control: (change: MediaControlInput) => void;
  readonly release: () => void;
  readonly reset: () => void;
  /** Returns the faults that are not used up. */
  readonly faults: () => readonly MediaFault[];
  readonly containers: () => MediaContainer[];
  readonly posts: () => Post[];
  readonly calls: () => LoggedCall[];
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
  /** Optional. Posts without a container, oldest first; older than all published ones. */
  readonly otherPosts?: () => readonly Post[];
  /** Optional. The stories of Pages are not served here. */
  readonly isPage?: (id: string) => boolean;
}

interface MediaServer extends MediaApi {
  readonly answer: Answering;
}

export function createMedia(options: MediaNeeds): MediaServer {
  const { appSecret, now: clock = Date.now, processing, otherPosts = () => [], isPage = () => false } = options;
  const store = createMediaStore();
  const script = createMediaScript(processing);
  const quota = createPublishQuota({ store, script });
  const subjects = createMediaSubjects(store);
  const nowMs = (): number => clock() + script.settings().clockOffsetSeconds * 1000;
  const api = createMediaApi({ appSecret, state: { store, script, quota, nowMs, otherPosts, isPage }, subjects });
  const containers = (): MediaContainer[] =>
    store.containers().map((container) => ({ ...container, statusCode: statusOf(container, nowMs()) }));

  function apply(change: MediaControl): void {
    script.control(change);
    if (change.quota?.used !== undefined) quota.restart();
    if (change.faults ?? change.outcomes) subjects.restartChildren();
  }

  function reset(): void {
    script.reset();
    store.clear();
    api.log.clear();
    subjects.restartChildren();
  }

  const { control, answer: answerControl } = createControl({
    path: '/control/media',
    schema: mediaControl,
    apply,
    reset,
    state: () => ({ now: new Date(nowMs()).toISOString(), settings: script.settings() }),
    contents: () => ({ containers: containers(), posts: store.posts(), calls: api.log.list() }),
  });

  async function answer(...[request, response]: Parameters<Answering>): Promise<boolean> {
    if (request.method === 'GET' && /^\/media(?:\?|$)/.test(request.url ?? '')) {
      sendPage(response, mediaPage({ containers: store.containers(), posts: store.posts(), nowMs: nowMs() }));
      return true;
    }
    return (await answerControl(request, response)) || (await api.answer(request, response));
  }

  return {
    ...{ control, release: api.release, reset, answer },
    faults: () => script.settings().faults,
    ...{ containers, posts: store.posts, calls: api.log.list },
  };
}

function sendPage(response: ServerResponse, html: string): void {
  response.setHeader('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(html);
}
