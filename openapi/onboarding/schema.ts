import { z } from 'zod';
import { channelTypes } from '../../contract/event-types.ts';
import { idField, instantField, nextCursorField, pageQuery, noControlCharacters } from '../definitions/fields.ts';

/** Shown to the customer, on one line. */
const labelField = z
  .string()
  .min(1)
  .max(200)
  .regex(noControlCharacters, 'must have no control characters')
  .regex(/\S/, 'must not be blank')
  .meta({ description: 'What the customer reads on the page of the link.' });

const targetField = idField(
  'workspace',
  'The workspace that gets the channel. Without one, each account that is connected gets a customer workspace of its own, named after it.',
).nullable();

export const onboardingLinkInput = z
  .strictObject({ label: labelField, channelType: z.enum(channelTypes), workspaceId: targetField.optional() })
  .meta({ id: 'OnboardingLinkInput' });

export const onboardingLinkPatch = z
  .strictObject({ label: labelField.optional(), workspaceId: targetField.optional() })
  .meta({ id: 'OnboardingLinkPatch' });

export const onboardingLinkSchema = z
  .strictObject({
    onboardingLinkId: idField('onboardingLink', 'The link.'),
    url: z.url().nullable().meta({ description: 'What the customer opens; null once the link is revoked.' }),
    label: z.string(),
    channelType: z.enum(channelTypes),
    workspaceId: targetField,
    status: z.enum(['active', 'revoked']),
    createdAt: instantField,
  })
  .meta({ id: 'OnboardingLink' });
export type OnboardingLinkBody = z.output<typeof onboardingLinkSchema>;

export const onboardingLinkListQuery = z.strictObject(pageQuery);
export const onboardingLinkListSchema = z
  .strictObject({ onboardingLinks: z.array(onboardingLinkSchema), nextCursor: nextCursorField })
  .meta({ id: 'OnboardingLinkList' });
