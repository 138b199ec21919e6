import { z } from 'zod';
import { idField, instantField, namedObject, nameInput } from '../definitions/fields.ts';

export const organizationSchema = namedObject('Organization', {
  id: idField('organization', 'The organization.'),
  name: z.string(),
  createdAt: instantField,
});
export type OrganizationBody = z.output<typeof organizationSchema>;

export const organizationPatch = namedObject('OrganizationPatch', { name: nameInput });
