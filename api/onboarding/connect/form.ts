import { readBytes } from '../../requests/read-bytes.ts';
import type { ApiContext } from '../../requests/state.ts';
import type { ConnectDeps } from './deps.ts';
import { PageProblem } from './problem.ts';

const MAX_BYTES = 16 * 1024;

export async function readForm(ctx: ApiContext, { bodies }: ConnectDeps): Promise<URLSearchParams> {
  if (ctx.request.is('application/x-www-form-urlencoded') === false) {
    throw new PageProblem(415, {
      title: 'This request is not a form',
      text: 'Open the link that you received and start again.',
    });
  }
  const reservation = bodies.open(ctx.ip);
  try {
    return new URLSearchParams((await readBytes(ctx, { maxBytes: MAX_BYTES, reservation })).toString('utf8'));
  } finally {
    reservation.release();
  }
}
