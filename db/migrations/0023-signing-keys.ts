import { createHmac } from 'node:crypto';
import type { Knex } from 'knex';

/**
 * Records which key of `ENCRYPTION_KEYS` a stored hash or tag depends on, so that an operator knows when the key may be
 * removed.
 */
export const signingKeys: Knex.Migration = {
  async up(knex) {
    await knex.raw(`
      alter table sessions add column refresh_key_id text;
      comment on column sessions.refresh_key_id is
        'the key of ENCRYPTION_KEYS that tagged the refresh token; null: tagged before, and refused since';
      alter table email_registrations
        add column code_key_id text,
        add column network_hash bytea constraint "a network's hash has 32 bytes" check (length(network_hash) = 32);
      comment on column email_registrations.code_key_id is
        'the key of ENCRYPTION_KEYS that hashed the code; null: no code, or one from before that is refused';
      comment on column email_registrations.network_hash is 'stands for the IPv6 /48 of the client; null for IPv4';
      create index email_registrations_by_network on email_registrations (network_hash, created_at)
        where network_hash is not null;
      create table code_tries (
        id bigint generated always as identity primary key,
        client_hash bytea not null,
        network_hash bytea,
        tried_at timestamptz not null
      );
      comment on table code_tries is
        'wrong mail codes of the last hour from browsers that are not known, over the whole installation';
    `);
    await endComputableStaffKey(knex);
  },
  async down(knex) {
    await knex.raw(`
      drop table code_tries;
      alter table email_registrations drop column code_key_id, drop column network_hash;
      alter table sessions drop column refresh_key_id;
    `);
  },
};

/** The demo's staff key was derived from the salt, which every backup contains. */
async function endComputableStaffKey(knex: Knex): Promise<void> {
  const row = await knex<{ token_salt: Buffer }>('installation').first('token_salt');
  if (!row) return;
  const hmac = (text: string) => createHmac('sha256', row.token_salt).update(text);
  const hash = hmac(`hmok_${hmac('demo-staff-key/demo').digest('base64url')}`).digest();
  await knex('staff_keys').where({ token_hash: hash }).whereNull('revoked_at').update({ revoked_at: knex.fn.now() });
}
