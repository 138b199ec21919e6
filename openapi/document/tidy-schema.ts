import type { ZodOpenApiOverride } from 'zod-openapi';

/**
 * Takes out what the generator adds and no reader needs: the expression behind a named format, and the bounds of
 * exact integers. Objects that answer are strict in the schemas, so nothing has to be said about their other fields.
 */
export const tidySchema: ZodOpenApiOverride = ({ jsonSchema }) => {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};
