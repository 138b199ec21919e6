/** What the service finds in one small envelope of each kind. `-` is null; `of <id>` means all numbers of an account. */
import test from 'ava';
import { toAcceptItems } from '../../../api/ingest/platform-events.ts';
import type { ChannelType } from '../../../contract/event-types.ts';
import { conversationKey } from '../../../db/deliveries/conversation-key.ts';
import {
  chatappCorpus,
  type CorpusEnvelope,
  pageappCorpus,
  photoappCorpus,
} from '../../harness/envelope/corpus-envelopes.ts';
import { itemsOf } from '../../harness/envelope/split-items.ts';

/** A key that changes makes a repeated event a second one after an upgrade. */
const tables: Readonly<Record<ChannelType, string>> = {
  chatapp: `
item                                                | account | type             | flags       | sender   | people              | conversation | message           | key
a text                                              | 1066    | message.received | -           | 4917     | 4917 US.17          | 4917         | wamid.text        | 1fab669230a0f1bfdac2e0ed91c939a9
a text of a person without a number                 | 1066    | message.received | -           | US.17    | US.17               | US.17        | wamid.unnumbered  | 84a94c63603fb844ca97d107a4995dc8
a text of a person with a parent                    | 1066    | message.received | -           | 4917     | 4917 US.17 US.ENT.1 | 4917         | wamid.parent      | d54abfdca3370e97cf82393c3eb1a948
a text of a written number                          | 1066    | message.received | -           | 4917     | 4917 US.17          | 4917         | wamid.written     | 128a4c1a8db01203549f4a206a7a7886
a text that names no person                         | 1066    | message.received | -           | US.17    | US.17               | US.17        | wamid.unnamed     | e4c0ba430fb59c54412f99a329e16568
a deleted message                                   | 1066    | message.received | unsend      | 4917     | 4917 US.17          | 4917         | wamid.revoke      | aabb51f64427bdbeaac76f712ce6962b
a message in an unknown field                       | 1066    | other.received   | -           | 4917     | 4917 US.17          | 4917         | wamid.unseen      | 3ca6486a3ff9fa283f24c73ef09a1d84
an image                                            | 1066    | message.received | -           | 4917     | 4917 US.17          | 4917         | wamid.image       | b6c810ab13b8410ea2065d63a44a99e5
a reaction                                          | 1066    | message.received | -           | 4917     | 4917 US.17          | 4917         | wamid.reaction    | dcc4dab7a71e6b4c4fe578c857ac5110
the press of a button                               | 1066    | message.received | -           | 4917     | 4917 US.17          | 4917         | wamid.button      | 6bb4d262981688826455cc559d371f8c
a text in a group                                   | 1066    | message.received | -           | 4917     | 4917 US.17          | group1       | wamid.group       | 03e9ffdb5d9ce7cd147fab0f114e4d2e
a change of the number                              | 1066    | message.received | -           | 4917     | 4917 4918           | 4917         | wamid.system      | 3f4cc0a6a0cffe9dd2d8bffa99fb02aa
an unsupported message                              | 1066    | message.received | -           | 4917     | 4917 US.17          | 4917         | wamid.unsupported | cc667a3f5f54163a407c2f09b44d79de
a sent message                                      | 1066    | message.status   | -           | -        | 4917 US.17          | 4917         | wamid.out         | 5e64ef7c71a186849d8697fbbde36181
a message delivered to a person without a number    | 1066    | message.status   | -           | -        | US.17               | US.17        | wamid.out         | fdf38025f8cd038a261d10939889c29d
a failed message                                    | 1066    | message.status   | -           | -        | 4917                | 4917         | wamid.out         | 8e4cb09df4d12e95698b111e7ce924e0
a message read in a group                           | 1066    | message.status   | -           | -        | US.17               | group1       | wamid.out         | c403231044c6997bae8ff56d4dd36593
a call of a person                                  | 1066    | other.received   | -           | 4917     | 4917 US.17          | 4917         | wacid.in          | 60286a6620230a3d63e78c674e88d13a
a call of the business                              | 1066    | other.received   | echo        | 15550001 | US.17               | US.17        | wacid.own         | 78f6f3cc2f99e8382ac6d3582cf7c798
a ringing call                                      | 1066    | other.received   | -           | -        | 4917                | 4917         | wacid.out         | 17139975c1a75bedddeb3fa1a30487f1
a text from the phone of the business               | 1066    | other.received   | echo        | 15550001 | 4917                | 4917         | wamid.echo        | 9c39cd4c5733c204910baca01eed54e7
a text of the business to a person without a number | 1066    | other.received   | echo        | 15550001 | US.17               | US.17        | wamid.echo2       | ebe57227261cc3fea3ca9a8c7dcecce6
a text deleted on the phone of the business         | 1066    | other.received   | echo,unsend | 15550001 | 4917 US.17          | 4917         | wamid.echo3       | 5c045227d59b8fe2c94f84e5113f5a41
a thread with a person                              | 1066    | other.received   | -           | -        | 4917 US.17          | 4917         | -                 | 3a34a11bc709f0d25d556b4547def4b4
a thread of the history                             | 1066    | other.received   | -           | -        | 4917                | 4917         | -                 | 8b82048f47d51c9a1d76e8aaa347c50a
an entry of the address book                        | 1066    | other.received   | -           | -        | 4917                | 4917         | -                 | 164157fac8c492e24938c6c870f9c098
an entry with both ids                              | 1066    | other.received   | -           | -        | 4917 US.17          | 4917         | -                 | 7793ad19f355282a9a4c7346f8dead2f
a changed id                                        | 1066    | other.received   | -           | 4917     | 4917 US.18 US.17    | 4917         | -                 | e9cd39001a7e25b2f79780dafc0dc57d
an item of a later field                            | 1066    | other.received   | -           | 4917     | 4917 US.17          | 4917         | -                 | d6f028139aaee113882657c5696cb3dc
a value without lists                               | 1066    | other.received   | -           | 4917     | 4917 US.17          | 4917         | -                 | 0ce456eaff90f4aae8583dfeff7d77ed
a preference of a contact                           | 1066    | other.received   | -           | 4917     | 4917 US.17          | 4917         | -                 | 7c58aab2fcf8f1be887e9c81a9e13cca
a preference                                        | 1066    | other.received   | -           | 4917     | 4917 US.17          | 4917         | -                 | 4692edbea6301f1c0d911f0581fcd11d
a person who joins a group                          | 1066    | other.received   | -           | 4917     | 4917 US.17          | 4917         | -                 | ab3c9f34e1b8a97e4041276aeeb1a4eb
the end of a group                                  | 1066    | other.received   | -           | -        | -                   | -            | -                 | 3a0aff5487ee9871ef1ddbd42407b074
an error of a number                                | 1066    | other.received   | -           | -        | -                   | -            | -                 | 4be341a4b62d2c659cacf1aec2da3a35
an approved template                                | of 4099 | other.received   | -           | -        | -                   | -            | -                 | 28791f6805afec50d47eab5441357ce5
a deleted account                                   | of 4099 | other.received   | -           | -        | -                   | -            | -                 | 2d08e745fe580c67aa07784a3e1009a6
an account taken from a partner                     | of 4098 | other.received   | -           | -        | -                   | -            | -                 | e103a59733063e265e4a54e2d4376168
a rating of a number                                | of 4099 | other.received   | -           | -        | -                   | -            | -                 | 73b72ec1c9c286bef26a6d605d5ff953
`,
  photoapp: `
item                                  | account | type             | flags       | sender | people | conversation | message         | key
a text                                | 2077    | message.received | -           | 88     | 88     | 88           | mid.text        | 1107f5f6e7b0e12ff40c55146ba1fbb5
an echo                               | 2077    | message.received | echo        | 2077   | 88     | 88           | mid.echo        | b3bbc209e8d3b149b713f710934d3ac6
an echo with its flag as text         | 2077    | message.received | echo        | 2077   | 88     | 88           | mid.echo        | 61c23b13d5ff8cd9442193449e20b369
an echo without its flag              | 2077    | message.received | echo        | 2077   | 88     | 88           | mid.unflagged   | 339b3a70efc5fa8f8baf250ea733bcb5
a deleted echo                        | 2077    | message.received | echo,unsend | 2077   | 88     | 88           | mid.echo        | d77330cee28b24b94f0d5f8317c28311
a deleted message                     | 2077    | message.received | unsend      | 88     | 88     | 88           | mid.text        | 2bf0201018bbc702335e83901e2b239d
a message deleted with a flag in text | 2077    | message.received | unsend      | 88     | 88     | 88           | mid.text        | 5142ccfaec2ea7962c7d7ead5e6d7304
an unsupported message                | 2077    | message.received | -           | 88     | 88     | 88           | mid.unsupported | baada858571082aeb89c3212c599f212
a reply to a story                    | 2077    | message.received | -           | 88     | 88     | 88           | mid.story       | f77535bc979b9c8a2cba8e4c5b446217
an edited message                     | 2077    | other.received   | -           | 88     | 88     | 88           | mid.text        | 0f8a3fc393c3c872353db853d2456f87
a reaction                            | 2077    | other.received   | -           | 88     | 88     | 88           | mid.out         | de24761e6786ec0697d2c08d9e9d531e
a reaction that is taken back         | 2077    | other.received   | -           | 88     | 88     | 88           | mid.out         | 47c4663a94ca55f04df280cbdad3302f
a read                                | 2077    | other.received   | -           | 88     | 88     | 88           | mid.out         | b8a3c78210d630f388337975ad505b7f
a postback                            | 2077    | other.received   | -           | 88     | 88     | 88           | mid.postback    | b21035cd3c260f9ce48e461f82bbc0bb
a referral                            | 2077    | other.received   | -           | 88     | 88     | 88           | -               | ee99fda065a2f762b1f392bbd33f4c94
a message on standby                  | 2077    | other.received   | -           | 88     | 88     | 88           | mid.text        | 7178552eb1a0139bb0d084d7ecbd8c46
a message in a change                 | 2077    | message.received | -           | 88     | 88     | 88           | mid.text        | 1107f5f6e7b0e12ff40c55146ba1fbb5
a comment in a change                 | 2077    | comment.received | -           | 88     | 88     | media1       | c1              | a06934fcdf9e8c6fbcde5a37758e0655
a comment in the entry                | 2077    | comment.received | -           | 88     | 88     | media1       | c2              | 6d86663df60e9055314a6d03c884ea8f
an own comment                        | 2077    | comment.received | echo        | 2077   | 2077   | media1       | c5              | 9bd9eb947c17a020a8f9e46accc48e95
a comment on a live video             | 2077    | comment.received | -           | 88     | 88     | media1       | c3              | a21e2e00308f91f4208df61e807a0901
a mention                             | 2077    | other.received   | -           | -      | -      | -            | -               | a3802d580709d0c139a2b9643926a3e0
figures of a story                    | 2077    | other.received   | -           | -      | -      | -            | -               | 556e1064a458b153e0443ef1d7681951
`,
  pageapp: `
item                           | account | type              | flags | sender | people | conversation | message    | key
a text                         | 3088    | message.received  | -     | 88     | 88     | 88           | m_text     | 9b9a38291f45192c89bf5f148e111ba0
an echo                        | 3088    | message.received  | echo  | 3088   | 88     | 88           | m_echo     | b360c22648471d6bb14784cf1f4cf4df
an edited message              | 3088    | other.received    | -     | 88     | 88     | 88           | m_text     | 5ea4f34c847bedb25fa032e27adb48c2
a reaction                     | 3088    | message.reaction  | -     | 88     | 88     | 88           | m_out      | 3d935ad09d0adc92c91c8bbd315ec0af
a reaction that is taken back  | 3088    | message.reaction  | -     | 88     | 88     | 88           | m_out      | b68663d61efb261f75d397d3b2171424
an own reaction                | 3088    | message.reaction  | echo  | 3088   | 88     | 88           | m_out      | c70a4ad32fccac64332222013c99554d
a read                         | 3088    | message.read      | -     | 88     | 88     | 88           | -          | 072f0cebac66612c0aaaa750cb0419e1
a delivery                     | 3088    | message.delivered | -     | 88     | 88     | 88           | -          | 59e684c0f5a22d19f29574fb7a47e6c6
a postback                     | 3088    | postback.received | -     | 88     | 88     | 88           | m_postback | 59d37cfdabf8d6239e3d78de00242bcb
a postback without a message   | 3088    | postback.received | -     | 88     | 88     | 88           | -          | 00fd85803d3d78f49ecbb6c76868cf14
an opt-in                      | 3088    | other.received    | -     | 88     | 88     | 88           | -          | f8cff0f8a42568497a486bae1ec4d84c
a referral                     | 3088    | other.received    | -     | 88     | 88     | 88           | -          | b163ecf8e745c851a09ab4feaa0611d5
a handover                     | 3088    | other.received    | -     | 88     | 88     | 88           | -          | 55e700048a8807c382dfaa9d0e2ce18c
a message on standby           | 3088    | other.received    | -     | 88     | 88     | 88           | m_text     | 57f9048ee6d0662d9c7ef56b661384dc
an echo on standby             | 3088    | other.received    | echo  | 3088   | 88     | 88           | m_echo     | 03634b723665a8940d0219e4660e9f0a
an own comment                 | 3088    | comment.received  | echo  | 3088   | 3088   | 3088_1       | 1_2        | 4687238e485a76fa05736a41962e4730
a comment                      | 3088    | comment.received  | -     | 88     | 88     | 3088_1       | 1_2        | 285df3e0bce54e159b8002e920bef32e
an edited comment              | 3088    | comment.received  | -     | 88     | 88     | 3088_1       | 1_2        | 6851f912e868e3a66ce8bdc46af2efaf
a hidden comment               | 3088    | comment.received  | -     | 88     | 88     | 3088_1       | 1_2        | f34c7e2d0416a5240de7d26f758a3ed5
a removed comment              | 3088    | comment.received  | -     | 88     | 88     | 3088_1       | 1_2        | 5681c84b2d546420051bd0b56e1095a6
a post                         | 3088    | post.changed      | -     | 88     | 88     | 3088_1       | 3088_1     | 0f62039576d201d5aa6b402cd79fa4b4
a photo                        | 3088    | post.changed      | -     | 88     | 88     | 3088_1       | 3088_1     | 7a982dd51009ab5732694c68b84d3337
a video                        | 3088    | post.changed      | -     | 88     | 88     | 3088_1       | 3088_1     | 606d179d2a99cb0a7d01554775b76937
a shared post                  | 3088    | post.changed      | -     | 88     | 88     | 3088_1       | 3088_1     | 201af19955f53844edfc36aa1cf7d47b
a reaction to a post           | 3088    | post.changed      | -     | 88     | 88     | 3088_1       | 3088_1     | b60ce4ef8571d9c63b8472c8954c3923
a feed item of an unknown kind | 3088    | other.received    | -     | 88     | 88     | 3088_1       | 3088_1     | 13a1b382a713e4073d837bdf6338fd87
a new name                     | 3088    | other.received    | -     | -      | -      | -            | -          | adcea8021f465c0f753b82d81d474ffd
a mention                      | 3088    | other.received    | -     | 88     | 88     | 77_1         | -          | b304e05b36f82d3ac5f8b71ba4ae8a17
a rating                       | 3088    | other.received    | -     | 88     | 88     | 88           | -          | 50ce329ee923dcf484dcf7b136a8b9ca
a form that was filled in      | 3088    | other.received    | -     | -      | -      | -            | -          | 05575098cd7fbbdea3a81b6e1f7798f6
`,
};

const corpora: Readonly<Record<ChannelType, Readonly<Record<string, CorpusEnvelope>>>> = {
  chatapp: chatappCorpus,
  photoapp: photoappCorpus,
  pageapp: pageappCorpus,
};

const HEAD = 'item account type flags sender people conversation message key';
const orNull = (cell: string): string | null => (cell === '-' ? null : cell);

function rowsOf(product: ChannelType) {
  const [head = [], ...rows] = tables[product]
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  if (head.join(' ') !== HEAD) throw new Error(`Unknown columns: ${head.join(' ')}`);
  return rows.map((row) => {
    const [name = '', account = '', type = '', flags = '', sender = '', people = '', conversation = '', id = '', key] =
      row;
    const [, ofAccount] = /^of (\d+)$/.exec(account) ?? [];
    const facts = {
      channelType: product,
      resourceId: ofAccount === undefined ? orNull(account) : null,
      ...(ofAccount !== undefined && { notice: { businessAccountId: ofAccount } }),
      eventType: `${product}.${type}`,
      eventFlags: orNull(flags),
      sender: orNull(sender),
      personIds: people === '-' ? [] : people.split(' '),
      conversation: orNull(conversation),
      platformMessageId: orNull(id),
    };
    // Without a conversation, an item keeps the order of the whole channel.
    const order = facts.conversation === null ? 0 : conversationKey(facts.conversation);
    return { name, facts, accepted: { key, conversationKey: order } };
  });
}

for (const product of ['chatapp', 'photoapp', 'pageapp'] as const) {
  const rows = rowsOf(product);

  for (const { name, facts, accepted } of rows) {
    test(`${product}: ${name}`, (t) => {
      const items = itemsOf(corpora[product][name]);
      t.is(items.length, 1);
      t.like(items[0], facts);
      t.like(toAcceptItems(items)[0], accepted);
    });
  }

  test(`a batch of all ${product} items keeps facts, order and keys`, (t) => {
    const envelopes = rows.map(({ name }) => corpora[product][name] as { readonly entry: readonly object[] });
    const batch = { object: product, entry: envelopes.flatMap(({ entry }) => entry) };
    const items = itemsOf(batch);
    t.is(items.length, rows.length);
    for (const [index, item] of toAcceptItems(items).entries()) {
      const { name, facts, accepted } = rows[index]!;
      t.like(items[index], facts, name);
      t.like(item, accepted, name);
    }
  });

  test(`every ${product} envelope has a row`, (t) => {
    t.deepEqual(Object.keys(corpora[product]).sort(), rows.map(({ name }) => name).sort());
  });
}
