import test from 'ava';
import { formatRate, rateNote, successRate } from '../../../../dashboard/pages/overview/success-rate.ts';

test('waiting deliveries lower the success rate and are shown beside it', (t) => {
  const rate = successRate({ delivered: 1_321, due: 1_732 });
  t.is(formatRate(rate!), '76.2 %');
  t.is(rateNote(411, 1), '411 waiting');
});

test('the success rate without waiting deliveries names the day before', (t) => {
  t.is(successRate({ delivered: 3, due: 4 }), 0.75);
  t.is(rateNote(0, 0.99999), '99.9 % the day before');
  t.is(successRate({ delivered: 0, due: 0 }), null);
  t.is(rateNote(0, null), null);
});
