import { cancelEvery } from '../../client/cancel-every.ts';
import { command, group } from '../commands/definition.ts';
import { pages, yes } from '../commands/flags.ts';
import { omitUndefined } from '../commands/omit-undefined.ts';
import { route } from '../commands/route.ts';
import {
  acceptsOffer,
  CANCEL_QUESTION,
  noteReveals,
  noteScheduled,
  readEvery,
  revealColumns,
  rotation,
  showRotations,
  showScheduledEnd,
} from '../reveals/offers.ts';
import { confirm } from '../terminal/prompt.ts';

const revoke = command('revoke <credential>', {
  summary:
    'Revoke an agent credential and list the secrets revealed to it and what it has scheduled; agents can revoke only their own',
  examples: ['ac_8kLm3Qz1', 'ac_8kLm3Qz1 --yes --rotate-revealed --cancel-scheduled'],
  flags: {
    ...yes,
    rotateRevealed: ['--rotate-revealed', 'afterwards, rotate the revealed secrets, with an overlap of one hour'],
    cancelScheduled: ['--cancel-scheduled', 'afterwards, cancel the messages and posts that the agent has scheduled'],
  },
  async run(run, [ac], { yes: isConfirmed, rotateRevealed, cancelScheduled }) {
    const client = await run.client();
    const params = { path: { ac } };
    const accepts = (question: string, option: boolean | undefined) =>
      acceptsOffer(run, question, { option, yes: isConfirmed });
    const read = await readEvery('reveals', (query) =>
      client.get('/agent/credentials/{ac}/reveals', { params: { path: { ac }, query } }),
    );
    const currentCount = noteReveals(run, read);
    const count = await noteScheduled(run, () => client.get('/agent/credentials/{ac}/scheduled', { params }));
    await confirm(run.world, `Revoke ${ac} immediately?`, { yes: isConfirmed });
    await client.delete('/agent/credentials/{ac}', { params });
    const cancels = count > 0 && (await accepts(CANCEL_QUESTION, cancelScheduled));
    const cancel = () => client.post('/agent/credentials/{ac}/cancel-scheduled', { params });
    const cancellations = cancels ? await cancelEvery(cancel) : undefined;
    const rotates = currentCount > 0 && (await accepts('Rotate the revealed secrets?', rotateRevealed));
    const rotated = rotates
      ? await client.post('/agent/credentials/{ac}/rotate-revealed', { params, body: {} })
      : undefined;
    if (run.output.isJson)
      return run.output.json({ credentialId: ac, revoked: true, ...rotated, ...omitUndefined({ cancellations }) });
    run.output.line(`Revoked ${ac}.`);
    showScheduledEnd(run, { count, cancellations });
    if (rotated) showRotations(run, rotated);
    else if (currentCount > 0)
      run.output.note(`Revealed secrets stay valid. To rotate them: channels credentials rotate-revealed ${ac}`);
  },
});

export const credentials = group('credentials', 'Manage agent credentials', [
  route('list', 'GET /agent/credentials', {
    summary: 'List agent credentials, newest first',
    flags: pages,
    empty: 'No agent credentials found.',
    columns: {
      CREDENTIAL: 'credentialId',
      USER: 'email',
      ORGANIZATION: 'organizationPublicId',
      'LAST USED (UTC)': 'lastUsedAt',
      SCOPES: 'scopes',
    },
  }),
  route('eligible-scopes', 'GET /agent/credentials/eligible-scopes', {
    summary: 'List the scopes that you can grant to an agent, by organization',
    flags: pages,
    columns: { ORGANIZATION: 'organizationPublicId', ROLE: 'role', SCOPES: 'scopes' },
  }),
  revoke,
  route('reveals <credential>', 'GET /agent/credentials/{ac}/reveals', {
    summary: 'List secrets revealed to an agent, also after its credential was revoked',
    flags: pages,
    empty: 'No secrets were revealed to this agent.',
    columns: revealColumns,
  }),
  route('rotate-revealed <credential>', 'POST /agent/credentials/{ac}/rotate-revealed', {
    summary: "Rotate secrets revealed to an agent and revoke the agent's channel tokens",
    examples: 'ac_8kLm3Qz1 --overlap 86400',
    flags: rotation,
    show: showRotations,
  }),
]);
