import { readBody } from '../ingest/read-body.ts';
import type { ApiContext } from '../state.ts';
import { PageProblem } from './problem.ts';

/** Our forms have three short fields. */
const MAX_BYTES = 16 * 1024;

/** The fields of a form that a page of ours has sent. */
export async function readForm(ctx: ApiContext): Promise<URLSearchParams> {
  if (ctx.request.is('application/x-www-form-urlencoded') === false) {
    throw new PageProblem(415, {
      title: 'This was no form',
      text: 'Open the link that you were sent and start again.',
    });
  }
  return new URLSearchParams((await readBody(ctx.req, MAX_BYTES)).toString('utf8'));
}
