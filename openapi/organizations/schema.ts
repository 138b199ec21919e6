import { z } from 'zod';
import { idField, instantField, nameInput } from '../definitions/fields.ts';

export const organizationSchema = z
  .strictObject({ id: idField('organization', 'The organization.'), name: z.string(), createdAt: instantField })
  .meta({ id: 'Organization' });
export type OrganizationBody = z.output<typeof organizationSchema>;

export const organizationPatch = z.strictObject({ name: nameInput }).meta({ id: 'OrganizationPatch' });
