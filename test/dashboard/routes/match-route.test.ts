import test from 'ava';
import { matchPath } from '../../../dashboard/routes/match-route.ts';

const channel = '/app/:org/:ws/channels/:ch';

test('each parameter matches one path segment', (t) => {
  t.deepEqual(matchPath(channel, '/app/org_aaaaaaaa/ws_bbbbbbbb/channels/ch_cccccccc'), {
    org: 'org_aaaaaaaa',
    ws: 'ws_bbbbbbbb',
    ch: 'ch_cccccccc',
  });
  t.deepEqual(matchPath('/app/account', '/app/account'), {});
  t.deepEqual(matchPath('/app/account', '/app/account/'), {});
  t.is(matchPath(channel, '/app/org_aaaaaaaa/ws_bbbbbbbb/channels'), undefined);
  t.is(matchPath(channel, '/app/org_aaaaaaaa/ws_bbbbbbbb/channels/'), undefined);
  t.is(matchPath(channel, '/app/org_aaaaaaaa/ws_bbbbbbbb/deliveries/ch_cccccccc'), undefined);
  t.is(matchPath('/app/:org', '/'), undefined);
});

test('a page name is not an organization or workspace ID', (t) => {
  t.is(matchPath('/app/:org', '/app/account'), undefined);
  t.is(matchPath('/app/:org/:ws', '/app/org_aaaaaaaa/keys'), undefined);
  t.truthy(matchPath('/app/:org/keys', '/app/org_aaaaaaaa/keys'));
  t.is(matchPath('/app/:org/:ws', '/app/org_aaaaaaaa/ws_short'), undefined);
});

test('segments are decoded, and invalid encodings do not match', (t) => {
  t.deepEqual(matchPath('/app/media/:id', '/app/media/a%2Fb%20c'), { id: 'a/b c' });
  t.is(matchPath('/app/media/:id', '/app/media/%E0%A4%A'), undefined);
});
