import { channelValues } from './channel-values.ts';
import { contentValues } from './content-values.ts';
import { deliveryValues } from './delivery-values.ts';
import type { Values } from './json-schema.ts';
import { organizationValues } from './organization-values.ts';

/**
 * Values of single schemas, by field: optional fields that are worth showing, and values that belong together. The name
 * of an object within a schema is `Schema.field`.
 */
export const componentValues: Readonly<Record<string, Values>> = {
  ...channelValues,
  ...deliveryValues,
  ...contentValues,
  ...organizationValues,
};
