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
import { idField, instantField, listQuery, namedObject, namedPage, nameInput } from '../definitions/fields.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { byPrincipals, byScope, notAgents, openAccess } from '../definitions/route-definition.ts';

const brandingFields = {
  displayName: nameInput.nullable().describe('The name on pages for customers. Null for the name of the organization.'),
  logoUrl: z.string().min(1).max(MAX_URL_LENGTH).nullable().describe('An https image on pages for customers.'),
  color: z
    .string()
    .regex(colorPattern, 'must be a color such as #0b5fff')
    .nullable()
    .describe('The color of headers and buttons of the portal, `#rrggbb`.'),
  portalFrameAncestors: z
    .array(z.string().min(1).max(300))
    .max(MAX_FRAME_ANCESTORS)
    .describe('Origins such as `https://app.example.com` whose pages may show the portal in a frame.'),
};

const brandingInput = z.strictObject(brandingFields).partial().meta({ id: 'BrandingInput' });

const brandingSchema = namedObject('Branding', {
  ...brandingFields,
  displayName: z.string().nullable(),
  logoUrl: z.string().nullable(),
  color: z.string().nullable(),
  textColor: z
    .enum(['#000000', '#ffffff'])
    .nullable()
    .describe('The color of text on `color`, chosen for contrast. Null without `color`.'),
});
const linkIdField = idField('portalLink', 'The portal link.');
const rightsField = z.array(z.enum(portalRights));
const channelIdField = idField('channel', 'A channel of the workspace.');

const portalLinkInput = namedObject('PortalLinkInput', {
  name: nameInput.optional().describe('Tells your links apart. The customer does not see it.'),
  rights: rightsField
    .min(1)
    .max(portalRights.length)
    .describe(
      'What the customer may do. `channels.read` is always included, and each right to change something includes the ' +
        'right to read it.',
    ),
  channelIds: z
    .array(channelIdField)
    .min(1)
    .max(MAX_PORTAL_CHANNELS)
    .optional()
    .describe('The only channels that the portal shows. Omit for all channels of the workspace.'),
  expiresIn: z
    .int()
    .min(MIN_PORTAL_SECONDS)
    .max(MAX_PORTAL_SECONDS)
    .optional()
    .describe(`Seconds until the link and its sessions end; ${DEFAULT_PORTAL_SECONDS} by default.`),
});

const linkFields = {
  portalLinkId: linkIdField,
  name: z.string().nullable(),
  rights: rightsField,
  channelIds: z.array(channelIdField).nullable().describe('Null for all channels of the workspace.'),
  status: z.enum(['active', 'expired', 'revoked']),
  useCount: z.int().describe('How often the link was opened.'),
  lastUsedAt: instantField.nullable(),
  createdAt: instantField,
  expiresAt: instantField,
};

const portalLinkSchema = namedObject('PortalLink', linkFields);
const createdPortalLinkSchema = namedObject('CreatedPortalLink', {
  ...linkFields,
  url: z.url().describe('What the customer opens. It contains the secret and is shown only here.'),
});

const portalLinkListSchema = namedPage('PortalLinkList', { portalLinks: portalLinkSchema });

const portalSessionInput = namedObject('PortalSessionInput', {
  portalLinkId: linkIdField,
  secret: z.string().min(1).max(100).describe("The part of the link's URL after `#`."),
});

const portalSessionSchema = namedObject('PortalSession', {
  accessToken: z.string().describe('Send it as `Authorization: Bearer …`.'),
  expiresAt: instantField,
  rights: rightsField,
  organization: z.strictObject({ id: idField('organization', 'The organization.'), name: z.string() }),
  workspace: z.strictObject({ id: idField('workspace', 'The workspace.'), name: z.string() }),
  channelIds: z
    .array(channelIdField)
    .nullable()
    .describe('If not null, requests for deliveries and replays must name one of these channels in `scope`.'),
  branding: z.strictObject({
    displayName: z.string().nullable(),
    logoUrl: z.string().nullable(),
    color: z.string().nullable(),
    textColor: z.string().nullable(),
  }),
});

/** A link is a credential for other people. */
const granting = byScope('credentials.manage', { within: 'workspace', role: 'admin' });

export const portalRoutes = defineRoutes('Portal', {
  createPortalLink: {
    route: 'POST /workspaces/{ws}/portal-links',
    summary: 'Creates a short-lived link to a page with the channels of one customer',
    description:
      'The page can be embedded in a frame. A limited credential needs the scopes of the rights that it grants. A link ' +
      'ends when its creator could no longer create it: with the key, or with the role of the person.',
    access: granting,
    body: portalLinkInput,
    status: 201,
    answer: createdPortalLinkSchema,
    errors: ['CHANNEL_NOT_FOUND', 'LIMIT_REACHED'],
  },
  listPortalLinks: {
    route: 'GET /workspaces/{ws}/portal-links',
    summary: "Lists a workspace's portal links of the last week, newest first",
    remarks: 'With the number of uses. Their URLs are not shown again.',
    access: granting,
    query: listQuery,
    answer: portalLinkListSchema,
  },
  revokePortalLink: {
    route: 'DELETE /workspaces/{ws}/portal-links/{ptl}',
    summary: 'Revokes a portal link',
    description: 'Its sessions end immediately.',
    access: granting,
  },
  startPortalSession: {
    route: 'POST /portal/session',
    summary: 'Exchanges the secret of a portal link for a session',
    description: 'The page of the link calls this. The session ends with the link.',
    access: openAccess,
    body: portalSessionInput,
    answer: portalSessionSchema,
    errors: ['AUTH_REQUIRED'],
  },
  getBranding: {
    route: 'GET /organizations/{org}/branding',
    summary: 'Returns how pages for customers show the organization',
    remarks: 'Null values mean the name of the organization and the colors of the service.',
    access: { ...byScope('workspace.read', { within: 'organization' }), admitsLimited: true },
    answer: brandingSchema,
  },
  putBranding: {
    route: 'PUT /organizations/{org}/branding',
    summary: 'Sets how pages for customers show the organization',
    description: 'Replaces all fields; a missing one is reset.',
    // Customers trust the name they read.
    access: byPrincipals(notAgents, { within: 'organization', role: 'admin' }),
    body: brandingInput,
    answer: brandingSchema,
    errors: ['URL_NOT_ALLOWED'],
  },
});
