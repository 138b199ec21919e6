import { group } from '../commands/definition.ts';
import { pages, required, yes } from '../commands/flags.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { route } from '../commands/route.ts';
import { usageError } from '../terminal/failures.ts';
import { fieldsOf, timeCell } from '../terminal/output.ts';

export const erasures = group('erasures', 'Erase personal data before its retention ends', [
  route('create', 'POST /organizations/{org}/erasures', {
    summary: 'Erase the data of an event, a sender or a workspace',
    examples: [
      '--sender 15551234567 --reason "ticket 4711" --dry-run',
      '--erased-workspace ws_8kLm3Qz1 --reason "contract ended" --yes',
    ],
    flags: {
      event: ['--event <id>', 'ID of the event to erase'],
      sender: ['--sender <id>', 'sender whose events are erased'],
      workspace: ['--erased-workspace <id>', 'ID of the workspace to erase'],
      workspaceId: ['--only-workspace <id>', "with --sender: only the sender's events in this workspace"],
      channelId: ['--channel <id>', "with --sender: only the sender's events of this channel"],
      reason: ['--reason <text>', 'why; the audit log keeps it, so do not name the person', required()],
      dryRun: ['--dry-run', 'count the matching events and erase nothing'],
      ...yes,
    },
    input({ event, sender, workspace, workspaceId, channelId, reason, dryRun = false }) {
      if ([event, sender, workspace].filter((one) => one !== undefined).length !== 1)
        throw usageError('Use one of --event, --sender and --erased-workspace.');
      if (event !== undefined) return { scope: { event }, reason, dryRun };
      if (sender === undefined) return { scope: { workspace: workspace ?? '' }, reason, dryRun };
      return { scope: { sender, ...omitUndefined({ workspaceId, channelId }) }, reason, dryRun };
    },
    confirm: (_, { dryRun }) => (dryRun ? undefined : 'Erase the data? This cannot be undone.'),
    done: ({ erasureId, matched }) =>
      erasureId === null ? `${matched} events match.` : `${erasureId} erases ${matched} events.`,
  }),
  route('list', 'GET /organizations/{org}/erasures', {
    summary: 'List erasures',
    flags: pages,
    columns: {
      ERASURE: 'erasureId',
      OF: ({ kind, eventId, workspaceId }) => [kind, eventId ?? workspaceId].filter(Boolean).join(' '),
      STATUS: ({ status }) => ({ text: status, tone: status === 'completed' ? 'good' : 'busy' }),
      EVENTS: ({ erased }) => erased.events,
      REASON: 'reason',
      'CREATED (UTC)': 'createdAt',
    },
  }),
  route('show <erasure>', 'GET /organizations/{org}/erasures/{ers}', {
    summary: 'Show the progress and the report of an erasure',
    show({ output }, erasure) {
      output.record(erasure, [
        ...fieldsOf(
          {
            Erasure: 'erasureId',
            Of: 'kind',
            Event: 'eventId',
            Workspace: 'workspaceId',
            Channel: 'channelId',
            Reason: 'reason',
            Status: 'status',
            Step: 'step',
          },
          erasure,
        ),
        ...Object.entries(erasure.erased).map(([name, count]) => [`Erased ${name}`, count] as const),
        ['Created', timeCell(erasure.createdAt)],
        ['Ended', timeCell(erasure.endedAt)],
      ]);
    },
  }),
]);
