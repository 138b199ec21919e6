import test from 'ava';
import { type Choice, findChoices, isChoice } from '../../../../dashboard/kit/menus/find-choices.ts';

const choices = (...names: readonly string[]): Choice[] => names.map((name) => ({ value: name, label: name }));
const actions = choices('alertWebhook.set', 'key.created', 'webhook.disabled', 'webhook.set');

const found = (text: string) => findChoices(actions, text).map(({ value }) => value);

test('an exact choice comes before those that contain the text', (t) => {
  t.deepEqual(found('webhook.set'), ['webhook.set', 'alertWebhook.set']);
  t.deepEqual(found(' Webhook.Set '), ['webhook.set', 'alertWebhook.set']);
});

test('choices that begin with the text come before others', (t) => {
  t.deepEqual(found('webhook'), ['webhook.disabled', 'webhook.set', 'alertWebhook.set']);
  t.deepEqual(found('set webhook'), ['alertWebhook.set', 'webhook.set']);
});

test('a choice is typed by its whole label or value', (t) => {
  const member: Choice = { value: 'usr_1', label: 'ann@example.com' };
  t.deepEqual(
    ['usr_1', 'ANN@example.com', 'ann', ''].map((text) => isChoice(member, text)),
    [true, true, false, false],
  );
});
