import test from 'ava';
import { tenantStage } from '../../harness/api/stages.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { aChannel } from '../../harness/tenants.ts';

interface Wrong {
  readonly route: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The message has one part per name, which begins with it. */
  readonly named: readonly string[];
}

/** Placeholders: `{ch}` is a chatapp channel, `{photo}` a photoapp channel, `{org}` the organization. */
const requests: Readonly<Record<string, Wrong>> = {
  'query, header and body': {
    route: 'POST /replays?dry=1',
    headers: { 'idempotency-key': '' },
    body: { scope: 'all', since: 'yesterday', until: '2026-01-01T00:00:00Z', statuses: [], ratePerSecond: 0, dry: true },
    named: ['query.dry', 'The header Idempotency-Key', 'body.scope', 'body.since', 'body.statuses', 'body.ratePerSecond', 'body.dry'],
  },
  'a platform id and a body': {
    route: 'POST /channels/{photo}/photoapp/comments/not-an-id/replies',
    body: { text: '' },
    named: ['path.commentId', 'body.text'],
  },
  'an event of another channel type': {
    route: 'POST /channels/{ch}/subscriptions?limit=1',
    body: { url: 'nowhere', events: ['photoapp.comment.received', 'chatapp.nothing'], label: '' },
    named: ['query.limit', 'body.url', 'body.events.1', 'body.label', 'body.events: a chatapp channel never produces photoapp.comment'],
  },
  'an edit of a subscription': {
    route: 'PATCH /channels/{ch}/subscriptions/sub_00000000',
    body: { events: ['photoapp.comment.received'], label: 7, pending: 'keep', enabled: false },
    named: ['body.label', 'body.pending: allowed only with a url', 'body.pending: cannot be keep', 'body.events: a chatapp'],
  },
  "a listener's event type": {
    route: 'POST /channels/{ch}/listeners',
    body: { eventTypes: ['pageapp.post.changed'], label: '' },
    named: ['body.label', 'body.eventTypes: a chatapp channel never produces pageapp.post.changed'],
  },
  'a replay with reversed times': {
    route: 'POST /replays',
    body: { scope: 'workspace:ws_00000000', since: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z', statuses: ['gone'], destination: 'sub_00000000' },
    named: ['body.statuses.0', 'body.until: must be later', 'body.destination: requires the scope'],
  },
  'a list without a scope': {
    route: 'GET /replays?limit=0',
    named: ['query.limit', 'query.scope: required'],
  },
  'a reversed span': {
    route: 'GET /channels/{ch}/statistics?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z&buckets=0',
    named: ['query.buckets', 'query.until: must be after since'],
  },
  'a span with a repeated parameter': {
    route: 'GET /channels/{ch}/statistics?since=2999-01-02T00:00:00Z&since=2&until=2999-01-01T00:00:00Z&buckets=x',
    named: ['query.since', 'query.buckets'],
  },
  'a field that the channel type requires': {
    route: 'POST /channels/{photo}/typing?a=1',
    body: { messageId: 'mid.1', more: true },
    named: ['query.a', 'body.more', 'body.to: required on a photoapp channel'],
  },
  'an expired key': {
    route: 'POST /organizations/{org}/keys',
    body: { name: ' ', expiresAt: '2020-01-01T00:00:00Z' },
    named: ['body.name', 'body.expiresAt: must be in the future'],
  },
  'a team with an external id': {
    route: 'POST /organizations/{org}/workspaces',
    body: { name: '', kind: 'team', externalId: 'x' },
    named: ['body.name', 'body.externalId: allowed only for'],
  },
  'a workspace role without a workspace': {
    route: 'POST /organizations/{org}/invitations',
    body: { email: 'nobody', role: 'member', workspaceRole: 'member' },
    named: ['body.email', 'body.workspaceRole: allowed only with workspaceId'],
  },
  'query and body of an open route': {
    route: 'POST /agent/auth/claim?now=1',
    body: { email: 'nobody', scopes: [], more: 1 },
    named: ['query.now', 'body.email', 'body.scopes', 'body.more'],
  },
  'a query beside malformed JSON': {
    route: 'POST /replays?dry=1',
    body: '{',
    named: ['query.dry'],
  },
}; // prettier-ignore

for (const [title, { route, headers, body, named }] of Object.entries(requests)) {
  test(`one refusal names every wrong field: ${title}`, async (t) => {
    const { db, refused, organization, workspace, user } = await tenantStage(t);
    const chatapp = await aChannel(db, workspace);
    const photoapp = await aChannel(db, workspace, { type: 'photoapp' });
    const ids = { ch: chatapp.publicId, photo: photoapp.publicId, org: organization.publicId };
    const filled = route.replace(/\{(\w+)\}/g, (_, name: keyof typeof ids) => ids[name]);
    const session = await aSession(db, user);
    const call = { headers: { ...session.headers, ...headers }, ...(body !== undefined && { body }) };
    const { message } = (await refused('VALIDATION_ERROR', filled, call)).body;
    const parts: string[] = message.replace(/\.$/, '').split('; ');
    for (const name of named) t.true(parts.some((part) => part.startsWith(name)), `${name} is not in: ${message}`); // prettier-ignore
    const others = parts.filter((part) => !named.some((name) => part.startsWith(name)));
    t.deepEqual(others, [], message);
  });
}
