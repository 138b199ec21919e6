import test, { type ExecutionContext } from 'ava';
import type { MediaControlInput } from '../../../simulator/media/control.ts';
import type { ApiAnswer } from '../../harness/api/api-answer.ts';
import { carousel, image, type PhotoAccount, photoAccount, reel } from '../../harness/system/photo-account.ts';
import { sharedSystem } from '../../harness/system/shared-system.ts';
import { until } from '../../harness/until.ts';

type Fault = NonNullable<MediaControlInput['faults']>[number];
type Loss = Pick<Fault, 'lost' | 'wrongBody'>;

interface LostCreate {
  readonly of: string;
  readonly body: object;
  readonly match: Fault['match'];
  readonly loss: Loss;
  /** An upper bound: siblings of a lost child need not be sent. */
  readonly creates: number;
  /** Optional. The carousel's parent is created after the client's answer. */
  readonly isLater?: boolean;
}

interface LostPublish {
  readonly of: string;
  readonly body: object;
  readonly loss: Loss;
  readonly tookEffect: boolean;
}

const before: Loss = { lost: 'before' };
const after: Loss = { lost: 'after' };
const child = { isCarouselItem: true, urlIncludes: '2.jpg' };
const parent = { mediaType: 'CAROUSEL' } as const;

const lostCreates: LostCreate[] = [
  { of: 'a single, before its effect', body: image, match: {}, loss: before, creates: 1 },
  { of: 'a single, after its effect', body: image, match: {}, loss: after, creates: 1 },
  { of: 'a single, by an answer without an id', body: reel, match: {}, loss: { wrongBody: true }, creates: 1 },
  { of: 'a child, after its effect', body: carousel, match: child, loss: after, creates: 2 },
  { of: 'a parent, after its effect', body: carousel, match: parent, loss: after, creates: 3, isLater: true },
];

const lostPublishes: LostPublish[] = [
  { of: 'a single, before its effect', body: image, loss: before, tookEffect: false },
  { of: 'a single, after its effect', body: image, loss: after, tookEffect: true },
  { of: 'a reel, by an answer without an id', body: reel, loss: { wrongBody: true }, tookEffect: true },
  { of: 'a carousel without a caption', body: { ...carousel, caption: undefined }, loss: after, tookEffect: true },
];

test('a lost platform answer never causes a second container or post', async (t) => {
  t.timeout(900_000);
  const system = await sharedSystem(t);
  const creates = await Promise.all(lostCreates.map(async (lost) => ({ lost, account: await photoAccount(system) })));
  const publishes = await Promise.all(
    lostPublishes.map(async (lost) => ({ lost, account: await photoAccount(system) })),
  );
  const { failMedia } = system.platform;
  for (const { lost, account } of creates)
    failMedia(account.resourceId, [{ at: 'create', match: lost.match, ...lost.loss }]);
  for (const { lost, account } of publishes) failMedia(account.resourceId, [{ at: 'publish', ...lost.loss, times: 1 }]);

  await Promise.all([
    ...creates.map(({ lost, account }) => loseCreate(t, { lost, account })),
    ...publishes.map(({ lost, account }) => losePublish(t, { lost, account })),
  ]);
});

async function loseCreate(
  t: ExecutionContext,
  { lost, account }: { readonly lost: LostCreate; readonly account: PhotoAccount },
): Promise<void> {
  const { of } = lost;
  const created = await account.createUntilDecided(lost.body);
  const containerId = await account.containerId();
  if (lost.isLater) t.is(created.status, 201, of);
  else isUnknown(t, created, { account, containerId, of });

  const unknown = await account.reaches(containerId, 'unknown');
  t.regex(unknown.statusDetail, /was sent to the platform, and the answer was lost/, of);
  t.is(unknown.nextCheckAt, unknown.expiresAt, of);
  const again = await account.createUntilDecided(lost.body);
  t.deepEqual([again.status, again.body.code], [created.status, created.body.code], `${of}: a repeat`);
  t.is(again.headers.get('location'), created.headers.get('location'), of);
  const published = await account.publish(containerId);
  t.deepEqual([published.status, published.body.code], [409, 'CONTAINER_FAILED'], of);
  const creates = account.calls('create').length;
  if (lost.body === carousel && !lost.isLater)
    t.true(creates <= lost.creates * (await account.containerCount()), `${of}: ${creates} creates`);
  else t.is(creates, lost.creates, `${of}: creates`);
  t.is(account.calls('publish').length, 0, of);
}

async function losePublish(
  t: ExecutionContext,
  { lost, account }: { readonly lost: LostPublish; readonly account: PhotoAccount },
): Promise<void> {
  const { of } = lost;
  const { containerId } = (await account.createUntilDecided(lost.body)).body;
  await account.reaches(containerId, 'finished');
  const first = account.publish(containerId);
  await until(() => account.calls('publish').length > 0, { for: `The publish of ${of}` });
  const joined = account.publish(containerId);
  const answers = await Promise.all([first, joined]);
  if (lost.tookEffect) {
    for (const { status, body } of answers) t.is(status, 200, `${of}: ${JSON.stringify(body)}`);
  } else {
    for (const answer of answers) isUnknown(t, answer, { account, containerId, of });
    // It is not published without the client's request.
    await account.reaches(containerId, 'finished');
    t.is(account.posts().length, 0, of);
  }
  const last = await account.publishUntilDecided(containerId);
  t.is(last.status, 200, `${of}: ${JSON.stringify(last.body)}`);
  const [post, ...others] = account.posts();
  t.is(others.length, 0, `${of}: one post`);
  t.is(last.body.mediaId, post!.id, of);
  t.is(last.body.permalink, post!.permalink, of);
  t.is(account.calls('publish').length, lost.tookEffect ? 1 : 2, `${of}: publishes`);
}

interface Subject {
  readonly account: PhotoAccount;
  readonly containerId: string;
  readonly of: string;
}

function isUnknown(t: ExecutionContext, { status, headers, body }: ApiAnswer, { account, containerId, of }: Subject) {
  t.is(status, 504, `${of}: ${JSON.stringify(body)}`);
  t.is(body.code, 'PLATFORM_OUTCOME_UNKNOWN', of);
  t.true(body.message.includes(containerId), body.message);
  t.regex(body.message, /look at the account/i, of);
  t.is(headers.get('location'), `${account.path}/${containerId}`, of);
}
