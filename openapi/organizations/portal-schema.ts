import { z } from 'zod';
import { MAX_URL_LENGTH } from '../../contract/addresses/check-url.ts';
import { colorPattern } from '../../contract/identity/branding.ts';
import {
  DEFAULT_PORTAL_SECONDS,
  MAX_FRAME_ANCESTORS,
  MAX_PORTAL_CHANNELS,
  MAX_PORTAL_SECONDS,
  MIN_PORTAL_SECONDS,
  portalRights,
} from '../../contract/identity/portal.ts';
import { idField, instantField, nameInput, nextCursorField, pageQuery } from '../definitions/fields.ts';

const brandingFields = {
  displayName: nameInput
    .nullable()
    .meta({ description: 'The name on pages for customers. Null for the name of the organization.' }),
  logoUrl: z
    .string()
    .min(1)
    .max(MAX_URL_LENGTH)
    .nullable()
    .meta({ description: 'An https image on pages for customers.' }),
  color: z
    .string()
    .regex(colorPattern, 'must be a color such as #0b5fff')
    .nullable()
    .meta({ description: 'The color of headers and buttons of the portal, `#rrggbb`.' }),
  portalFrameAncestors: z
    .array(z.string().min(1).max(300))
    .max(MAX_FRAME_ANCESTORS)
    .meta({ description: 'Origins such as `https://app.example.com` whose pages may show the portal in a frame.' }),
};

export const brandingInput = z.strictObject(brandingFields).partial().meta({ id: 'BrandingInput' });

export const brandingSchema = z
  .strictObject({
    ...brandingFields,
    displayName: z.string().nullable(),
    logoUrl: z.string().nullable(),
    color: z.string().nullable(),
    textColor: z
      .enum(['#000000', '#ffffff'])
      .nullable()
      .meta({ description: 'The color of text on `color`, chosen for contrast. Null without `color`.' }),
  })
  .meta({ id: 'Branding' });
export type BrandingBody = z.output<typeof brandingSchema>;

const linkIdField = idField('portalLink', 'The portal link.');
const rightsField = z.array(z.enum(portalRights));
const channelIdField = idField('channel', 'A channel of the workspace.');

export const portalLinkInput = z
  .strictObject({
    name: nameInput.optional().meta({ description: 'Tells your links apart. The customer does not see it.' }),
    rights: rightsField
      .min(1)
      .max(portalRights.length)
      .meta({
        description:
          'What the customer may do. `channels.read` is always included, and each right to change something includes the ' +
          'right to read it.',
      }),
    channelIds: z
      .array(channelIdField)
      .min(1)
      .max(MAX_PORTAL_CHANNELS)
      .optional()
      .meta({ description: 'The only channels that the portal shows. Omit for all channels of the workspace.' }),
    expiresIn: z
      .int()
      .min(MIN_PORTAL_SECONDS)
      .max(MAX_PORTAL_SECONDS)
      .optional()
      .meta({ description: `Seconds until the link and its sessions end; ${DEFAULT_PORTAL_SECONDS} by default.` }),
  })
  .meta({ id: 'PortalLinkInput' });

const linkFields = {
  portalLinkId: linkIdField,
  name: z.string().nullable(),
  rights: rightsField,
  channelIds: z.array(channelIdField).nullable().meta({ description: 'Null for all channels of the workspace.' }),
  status: z.enum(['active', 'expired', 'revoked']),
  useCount: z.int().meta({ description: 'How often the link was opened.' }),
  lastUsedAt: instantField.nullable(),
  createdAt: instantField,
  expiresAt: instantField,
};

export const portalLinkSchema = z.strictObject(linkFields).meta({ id: 'PortalLink' });
export type PortalLinkBody = z.output<typeof portalLinkSchema>;

export const createdPortalLinkSchema = z
  .strictObject({
    ...linkFields,
    url: z.url().meta({ description: 'What the customer opens. It contains the secret and is shown only here.' }),
  })
  .meta({ id: 'CreatedPortalLink' });

export const portalLinkListQuery = z.strictObject(pageQuery);
export const portalLinkListSchema = z
  .strictObject({ portalLinks: z.array(portalLinkSchema), nextCursor: nextCursorField })
  .meta({ id: 'PortalLinkList' });

export const portalSessionInput = z
  .strictObject({
    portalLinkId: linkIdField,
    secret: z.string().min(1).max(100).meta({ description: "The part of the link's URL after `#`." }),
  })
  .meta({ id: 'PortalSessionInput' });

export const portalSessionSchema = z
  .strictObject({
    accessToken: z.string().meta({ description: 'Send it as `Authorization: Bearer …`.' }),
    expiresAt: instantField,
    rights: rightsField,
    organization: z.strictObject({ id: idField('organization', 'The organization.'), name: z.string() }),
    workspace: z.strictObject({ id: idField('workspace', 'The workspace.'), name: z.string() }),
    channelIds: z.array(channelIdField).nullable().meta({
      description: 'If not null, requests for deliveries and replays must name one of these channels in `scope`.',
    }),
    branding: z.strictObject({
      displayName: z.string().nullable(),
      logoUrl: z.string().nullable(),
      color: z.string().nullable(),
      textColor: z.string().nullable(),
    }),
  })
  .meta({ id: 'PortalSession' });
