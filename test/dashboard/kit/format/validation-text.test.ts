import test from 'ava';
import { validationText } from '../../../../dashboard/kit/format/validation-text.ts';

test('invalid fields are named in words', (t) => {
  t.is(
    validationText(
      'query.deliveryId: must be an id: wd_ and 8 letters or digits; body.options.timeoutSeconds: too big.',
    ),
    'Delivery ID: must be an id: wd_ and 8 letters or digits; Options timeout seconds: too big.',
  );
  t.is(validationText('path.ch: must be an id.'), 'Ch: must be an id.');
  t.is(validationText('The channel does not exist.'), 'The channel does not exist.');
});
