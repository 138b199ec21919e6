import { z } from 'zod';
import { channelTypes } from '../../contract/event-types.ts';
import { idField, instantField, nextCursorField, pageQuery, noControlCharacters } from '../definitions/fields.ts';

const labelField = z
  .string()
  .min(1)
  .max(200)
  .regex(noControlCharacters, 'must have no control characters')
  .regex(/\S/, 'must not be blank')
  .meta({ description: 'Shown to the customer on the page of the link.' });

const targetField = idField(
  'workspace',
  'The workspace of the new channel. If null, each connected account gets its own customer workspace, named after the account.',
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
    url: z.url().nullable().meta({ description: 'The URL that the customer opens; null if the link is revoked.' }),
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
