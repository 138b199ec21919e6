import type { ServerResponse } from 'node:http';
import type { ContentAnswer } from './faults.ts';
import type { ContentSettings } from './script.ts';
import type { ContentProduct } from './objects/store.ts';
import { sendJson } from '../servers/http-server.ts';

const limitTypes: Readonly<Record<ContentProduct, string>> = { photoapp: 'instagram', pageapp: 'pages' };

interface Sending {
  readonly answer: ContentAnswer;
  readonly settings: ContentSettings;
  readonly accountId: string;
  readonly product: ContentProduct;
}

/** Every answer says how much of the limits is used, of the app's and of the account's; a throttled one, that all is. */
export function sendContent(response: ServerResponse, { answer, settings, accountId, product }: Sending): void {
  const { callCount, totalTime, totalCpuTime, regainAccessMinutes } = settings.usage;
  const { throttledMinutes } = answer;
  const isThrottled = throttledMinutes !== null;
  const used = { call_count: isThrottled ? 100 : callCount, total_cputime: totalCpuTime, total_time: totalTime };
  const limit = {
    type: limitTypes[product],
    ...used,
    estimated_time_to_regain_access: throttledMinutes ?? regainAccessMinutes,
  };
  response.setHeader('x-app-usage', JSON.stringify(used));
  response.setHeader('x-business-use-case-usage', JSON.stringify({ [accountId]: [limit] }));
  if (product === 'pageapp') response.setHeader('x-page-usage', JSON.stringify(used));
  if (typeof answer.body !== 'string') {
    sendJson(response, answer.status, answer.body);
    return;
  }
  response.writeHead(answer.status, { 'content-type': 'text/html; charset=utf-8' }).end(answer.body);
}
