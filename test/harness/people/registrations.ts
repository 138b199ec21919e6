import type { NewRegistration } from '../../../db/people/email-registrations.ts';

/** A request for a code by an unknown browser of a client. */
export const aRegistration = (others: Partial<NewRegistration> = {}): NewRegistration => ({
  purpose: 'sign_in',
  email: 'ann@example.com',
  scopes: null,
  organizationId: null,
  clientHash: Buffer.from('client'),
  networkHash: null,
  browserHash: null,
  windowMs: 600_000,
  limits: { perAddress: 5, perClient: 20 },
  ...others,
});
