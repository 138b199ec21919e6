import test from 'ava';
import { scopesOfCall } from '../../../platform/ownership/call-scopes.ts';
import { type CallMethod, type SubjectKind, subjectRules } from '../../../platform/ownership/edges.ts';

interface AllowedCall {
  readonly kind: SubjectKind;
  readonly edge: string | undefined;
  readonly method: CallMethod;
}

const allowed: readonly AllowedCall[] = Object.entries(subjectRules).flatMap(([kind, { methods, edges }]) => [
  ...methods.map((method) => ({ kind: kind as SubjectKind, edge: undefined, method })),
  ...Object.entries(edges).flatMap(([edge, rule]) =>
    rule.methods.map((method) => ({ kind: kind as SubjectKind, edge, method })),
  ),
]);

const nameOf = ({ kind, edge, method }: AllowedCall): string => `${method} ${kind}${edge ? `/${edge}` : ''}`;
const callsOf = (scope: string): string[] =>
  allowed.filter((call) => scopesOfCall({ ...call, fields: [] })[0] === scope).map(nameOf);

test('every read of conversations and messages needs messages.read', (t) => {
  t.deepEqual(callsOf('messages.read').toSorted(), [
    'GET file',
    'GET message',
    'GET message/attachments',
    'GET page/conversations',
    'GET photo_account/conversations',
    'GET thread',
    'GET thread/messages',
  ]);
});

test('sending messages needs message.send', (t) => {
  t.deepEqual(callsOf('message.send').toSorted(), [
    'POST number/marketing_messages',
    'POST number/media',
    'POST number/messages',
    'POST page/message_attachments',
    'POST page/messages',
    'POST photo_account/messages',
  ]);
});

test('every other read needs channel.read, and every other write channel.manage', (t) => {
  const named = [...callsOf('messages.read'), ...callsOf('message.send')];
  const others = allowed.map(nameOf).filter((name) => !named.includes(name));
  t.deepEqual(callsOf('channel.read').toSorted(), others.filter((name) => name.startsWith('GET')).toSorted());
  t.deepEqual(callsOf('channel.manage').toSorted(), others.filter((name) => !name.startsWith('GET')).toSorted());
  t.true(allowed.length > 80);
});

test('fields that show messages need messages.read on every object', (t) => {
  const fields = (list: string) => scopesOfCall({ kind: 'page', edge: 'feed', method: 'GET', fields: [list] });
  t.deepEqual(fields('message,from'), ['channel.read']);
  for (const list of ['conversations', 'from{conversations{id}}', 'id, Messages', 'threads.limit(1)']) {
    t.deepEqual(fields(list), ['channel.read', 'messages.read'], list);
  }
});
