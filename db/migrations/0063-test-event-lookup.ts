import { concurrentIndex } from './concurrent-index.ts';

/** Finds a test event by the id in its headers. */
export const testEventLookup = concurrentIndex({
  name: 'test_events_by_delivery',
  on: 'test_events (delivery_number)',
});
