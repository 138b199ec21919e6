import test from 'ava';
import { isDatabaseUnavailable } from '../../../db/core/database-unavailable.ts';
import { isDuplicateOf } from '../../../db/core/duplicates.ts';
import { insertWithFreshId } from '../../../db/core/model.ts';
import { UserModel } from '../../../db/models/user.ts';
import { WorkspaceModel } from '../../../db/models/workspace.ts';
import { testDatabase } from '../../harness/database/database.ts';

test('an insert draws another public id if the first one is taken', async (t) => {
  const { db } = await testDatabase(t);
  const insert = (email: string) => insertWithFreshId(db, UserModel, { kind: 'user', values: { email } });
  const { id, publicId } = await insert('first@example.com');
  // The next insert draws the taken public id.
  await db.raw(`
    create sequence draws;
    create function take_first_id() returns trigger language plpgsql as $$
      begin
        if nextval('draws') = 1 then new.public_id = '${publicId}'; end if;
        return new;
      end $$;
    create trigger take_first_id before insert on users for each row execute function take_first_id()`);
  const second = await insert('second@example.com');
  t.true(second.id > id);
  t.not(second.publicId, publicId);
  t.false(second.isStaff);
  t.true(second.createdAt instanceof Date);
});

test('models throw the errors of the driver', async (t) => {
  const { db } = await testDatabase(t);
  const email = 'person@example.com';
  const insert = () => insertWithFreshId(db, UserModel, { kind: 'user', values: { email } });
  await insert();
  const duplicate = await t.throwsAsync(insert());
  t.true(isDuplicateOf(duplicate, 'users_email_key'));
  const readOnly = await t.throwsAsync(
    db.transaction(async (trx) => {
      await trx.raw('set transaction read only');
      await UserModel.query(trx).delete();
    }),
  );
  t.true(isDatabaseUnavailable(readOnly));
});

test('first() reads a single row', async (t) => {
  const { db } = await testDatabase(t);
  t.regex(WorkspaceModel.query(db).first().toKnexQuery().toQuery(), /limit 1$/);
});
