/** One small envelope for each kind of item of the three products, in the forms that the platform sends. */
export type CorpusEnvelope = Readonly<Record<string, unknown>>;

const SECONDS = 1_700_000_000;
const MS = SECONDS * 1000;
const metadata = { display_phone_number: '15550001', phone_number_id: '1066' };
const profile = { profile: { name: 'Kerry' } };
const known = { wa_id: '4917', user_id: 'US.17' };
const contacts = [{ ...profile, ...known }];
const unnumbered = [{ profile: { name: 'Kerry', username: '@kerry' }, user_id: 'US.17' }];

const chat = (field: string, value: object): CorpusEnvelope => ({
  object: 'chatapp',
  entry: [{ id: '4099', changes: [{ field, value: { messaging_product: 'chatapp', metadata, ...value } }] }],
});
const chatNotice = (field: string, value: object): CorpusEnvelope => ({
  object: 'chatapp',
  entry: [{ id: '4099', time: SECONDS, changes: [{ field, value }] }],
});
const text = { from: '4917', from_user_id: 'US.17', timestamp: `${SECONDS}`, type: 'text', text: { body: 'Hello' } };
const received = (message: object, people: object[] = contacts): CorpusEnvelope =>
  chat('messages', { contacts: people, messages: [message] });
const status = (facts: object, further: object = {}): CorpusEnvelope =>
  chat('messages', { ...further, statuses: [{ id: 'wamid.out', timestamp: `${SECONDS}`, ...facts }] });

export const chatappCorpus: Readonly<Record<string, CorpusEnvelope>> = {
  'a text': received({ ...text, id: 'wamid.text' }),
  'a text of a person without a number': received(
    { from_user_id: 'US.17', id: 'wamid.unnumbered', timestamp: `${SECONDS}`, type: 'text', text: { body: 'Hello' } },
    unnumbered,
  ),
  'a text of a person with a parent': received({ ...text, from_parent_user_id: 'US.ENT.1', id: 'wamid.parent' }),
  'a text of a written number': received({ from: '+4917', id: 'wamid.written', timestamp: `${SECONDS}`, type: 'text' }),
  'a text that names no person': received({ id: 'wamid.unnamed', timestamp: `${SECONDS}`, type: 'text' }, unnumbered),
  'a deleted message': received({ from: '4917', id: 'wamid.revoke', timestamp: `${SECONDS}`, type: 'revoke' }),
  'a message in an unknown field': chat('never_seen', { messages: [{ ...text, id: 'wamid.unseen' }] }),
  'an image': received({ from: '4917', id: 'wamid.image', timestamp: `${SECONDS}`, type: 'image', image: { id: '9' } }),
  'a reaction': received({
    from: '4917',
    id: 'wamid.reaction',
    timestamp: `${SECONDS}`,
    type: 'reaction',
    reaction: { message_id: 'wamid.out', emoji: '\u{1f44d}' },
  }),
  'the press of a button': received({
    from: '4917',
    id: 'wamid.button',
    timestamp: `${SECONDS}`,
    type: 'interactive',
    interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } },
    context: { from: '15550001', id: 'wamid.out' },
  }),
  'a text in a group': received({ ...text, id: 'wamid.group', group_id: 'group1' }),
  'a change of the number': chat('messages', {
    messages: [
      {
        from: '4917',
        id: 'wamid.system',
        timestamp: `${SECONDS}`,
        type: 'system',
        system: { body: 'Kerry changed', wa_id: '4918', type: 'user_changed_number' },
      },
    ],
  }),
  'an unsupported message': received({
    from: '4917',
    id: 'wamid.unsupported',
    timestamp: `${SECONDS}`,
    type: 'unsupported',
    errors: [{ code: 131051, title: 'Message type unknown' }],
  }),
  'a sent message': status({ status: 'sent', recipient_id: '4917', recipient_user_id: 'US.17' }),
  'a message delivered to a person without a number': status(
    { status: 'delivered', recipient_user_id: 'US.17' },
    { contacts: unnumbered },
  ),
  'a failed message': status({ status: 'failed', recipient_id: '4917', errors: [{ code: 131026 }] }),
  'a message read in a group': status(
    { status: 'read', recipient_id: 'group1', recipient_type: 'group', recipient_participant_user_id: 'US.17' },
    { contacts: unnumbered },
  ),
  'a call of a person': chat('calls', {
    contacts,
    calls: [{ id: 'wacid.in', from: '4917', to: '15550001', event: 'connect', direction: 'USER_INITIATED' }],
  }),
  'a call of the business': chat('calls', {
    metadata: { ...metadata, display_phone_number: '+1 555-0001' },
    calls: [{ id: 'wacid.own', from: '15550001', to_user_id: 'US.17', direction: 'BUSINESS_INITIATED' }],
  }),
  'a ringing call': chat('calls', {
    statuses: [{ id: 'wacid.out', type: 'call', status: 'RINGING', timestamp: `${SECONDS}`, recipient_id: '4917' }],
  }),
  'a text from the phone of the business': chat('smb_message_echoes', {
    message_echoes: [
      { from: '15550001', to: '4917', id: 'wamid.echo', timestamp: `${SECONDS}`, type: 'text', text: { body: 'Hi' } },
    ],
  }),
  'a text of the business to a person without a number': chat('smb_message_echoes', {
    message_echoes: [{ from: '15550001', to_user_id: 'US.17', id: 'wamid.echo2', timestamp: `${SECONDS}` }],
  }),
  'a text deleted on the phone of the business': chat('smb_message_echoes', {
    message_echoes: [{ from: '15550001', to: '+4917', to_user_id: 'US.17', id: 'wamid.echo3', type: 'revoke' }],
  }),
  'a thread with a person': chat('history', {
    history: [{ metadata: { phase: 0 }, threads: [{ id: '4917', context: { user_id: 'US.17' }, messages: [text] }] }],
  }),
  'a thread of the history': chat('history', {
    history: [
      {
        metadata: { phase: 0, chunk_order: 1, progress: 100 },
        threads: [{ id: '4917', messages: [{ ...text, id: 'wamid.old' }] }],
      },
    ],
  }),
  'an entry of the address book': chat('smb_app_state_sync', {
    state_sync: [
      {
        type: 'contact',
        action: 'add',
        contact: { full_name: 'Kerry', phone_number: '4917' },
        metadata: { timestamp: `${SECONDS}` },
      },
    ],
  }),
  'an entry with both ids': chat('smb_app_state_sync', {
    state_sync: [{ type: 'contact', action: 'add', contact: { phone_number: '4917', user_id: 'US.17' } }],
  }),
  'a changed id': chat('user_id_update', {
    user_id_update: [{ wa_id: '4917', user_id: { previous: 'US.17', current: 'US.18' } }],
  }),
  'an item of a later field': chat('later_updates', { later_updates: [{ ...known, detail: 1 }] }),
  'a value without lists': chat('messaging_handovers', { sender: { phone_number: '4917', user_id: 'US.17' } }),
  'a preference of a contact': chat('user_preferences', { contacts, user_preferences: [{ value: 'stop' }] }),
  'a preference': chat('user_preferences', {
    contacts,
    user_preferences: [{ ...known, category: 'marketing_messages', value: 'stop', timestamp: SECONDS }],
  }),
  'a person who joins a group': chat('group_participants_update', {
    groups: [
      {
        timestamp: `${SECONDS}`,
        group_id: 'group1',
        type: 'group_participants_add',
        reason: 'invite_link',
        added_participants: [known],
      },
    ],
  }),
  'the end of a group': chat('group_lifecycle_update', {
    groups: [{ timestamp: `${SECONDS}`, group_id: 'group1', type: 'group_delete' }],
  }),
  'an error of a number': chat('messages', { errors: [{ code: 130429, title: 'Rate limit hit' }] }),
  'an approved template': chatNotice('message_template_status_update', { event: 'APPROVED', message_template_id: 5 }),
  'a deleted account': chatNotice('account_update', { event: 'ACCOUNT_DELETED' }),
  'an account taken from a partner': chatNotice('account_update', {
    event: 'PARTNER_REMOVED',
    waba_info: { waba_id: '4098', owner_business_id: '9' },
  }),
  'a rating of a number': chatNotice('phone_number_quality_update', { event: 'FLAGGED', current_limit: 'TIER_1K' }),
};

const messagingOf = (object: string, id: string, list = 'messaging') => ({
  of: (facts: object, ends: object = {}): CorpusEnvelope => ({
    object,
    entry: [
      { id, time: MS, [list]: [{ sender: { id: '88' }, recipient: { id }, timestamp: MS - 1, ...ends, ...facts }] },
    ],
  }),
  own: { sender: { id }, recipient: { id: '88' } },
});
const changeOf = (object: string, id: string) => ({
  change: (field: string, value: unknown): CorpusEnvelope => ({
    object,
    entry: [{ id, time: SECONDS, changes: [{ field, value }] }],
  }),
  direct: (field: string, value: unknown): CorpusEnvelope => ({ object, entry: [{ id, time: SECONDS, field, value }] }),
});

const photo = { ...messagingOf('photoapp', '2077'), ...changeOf('photoapp', '2077') };
const photoComment = { id: 'c1', text: 'Nice', from: { id: '88', username: 'kerry' }, media: { id: 'media1' } };

export const photoappCorpus: Readonly<Record<string, CorpusEnvelope>> = {
  'a text': photo.of({ message: { mid: 'mid.text', text: 'Hello' } }),
  'an echo': photo.of({ message: { mid: 'mid.echo', text: 'Hi', is_echo: true } }, photo.own),
  'an echo with its flag as text': photo.of({ message: { mid: 'mid.echo', is_echo: 'true' } }, photo.own),
  'an echo without its flag': photo.of({ message: { mid: 'mid.unflagged' } }, photo.own),
  'a deleted echo': photo.of({ message: { mid: 'mid.echo', is_echo: true, is_deleted: 1 } }, photo.own),
  'a deleted message': photo.of({ message: { mid: 'mid.text', is_deleted: true } }),
  'a message deleted with a flag in text': photo.of({ message: { mid: 'mid.text', is_deleted: 'true' } }),
  'an unsupported message': photo.of({ message: { mid: 'mid.unsupported', is_unsupported: true } }),
  'a reply to a story': photo.of({ message: { mid: 'mid.story', text: 'Wow', reply_to: { story: { id: 'story1' } } } }),
  'an edited message': photo.of({ message_edit: { mid: 'mid.text', text: 'Hello!', num_edit: 1 } }),
  'a reaction': photo.of({ reaction: { mid: 'mid.out', action: 'react', reaction: 'love' } }),
  'a reaction that is taken back': photo.of({ reaction: { mid: 'mid.out', action: 'unreact' } }),
  'a read': photo.of({ read: { mid: 'mid.out' } }),
  'a postback': photo.of({ postback: { mid: 'mid.postback', title: 'Start', payload: 'START' } }),
  'a referral': photo.of({ referral: { ref: 'spring', source: 'IGME-SOURCE-LINK', type: 'OPEN_THREAD' } }),
  'a message on standby': messagingOf('photoapp', '2077', 'standby').of({
    message: { mid: 'mid.text', text: 'Hello' },
  }),
  'a message in a change': photo.change('messages', {
    sender: { id: '88' },
    recipient: { id: '2077' },
    timestamp: `${MS - 1}`,
    message: { mid: 'mid.text', text: 'Hello' },
  }),
  'a comment in a change': photo.change('comments', photoComment),
  'a comment in the entry': photo.direct('comments', { ...photoComment, id: 'c2' }),
  'an own comment': photo.change('comments', { id: 'c5', from: { id: '2077' }, media: { id: 'media1' } }),
  'a comment on a live video': photo.change('live_comments', { ...photoComment, id: 'c3' }),
  'a mention': photo.change('mentions', { media_id: 'media1', comment_id: 'c4' }),
  'figures of a story': photo.change('story_insights', { media_id: 'media2', reach: 5 }),
};

const page = { ...messagingOf('pageapp', '3088'), ...changeOf('pageapp', '3088') };
const feed = (value: object): CorpusEnvelope =>
  page.change('feed', { from: { id: '88', name: 'Kerry' }, post_id: '3088_1', created_time: SECONDS, ...value });
const feedComment = { item: 'comment', comment_id: '1_2', parent_id: '3088_1' };

export const pageappCorpus: Readonly<Record<string, CorpusEnvelope>> = {
  'a text': page.of({ message: { mid: 'm_text', text: 'Hello' } }),
  'an echo': page.of({ message: { mid: 'm_echo', text: 'Hi', is_echo: true, app_id: 5 } }, page.own),
  'an edited message': page.of({ message_edit: { mid: 'm_text', text: 'Hello!', num_edit: 1 } }),
  'a reaction': page.of({ reaction: { mid: 'm_out', action: 'react', emoji: '\u{1f642}' } }),
  'a reaction that is taken back': page.of({ reaction: { mid: 'm_out', action: 'unreact' } }),
  'an own reaction': page.of({ reaction: { mid: 'm_out', action: 'react' } }, page.own),
  'a read': page.of({ read: { watermark: MS } }),
  'a delivery': page.of({ delivery: { mids: ['m_out'], watermark: MS } }),
  'a postback': page.of({ postback: { mid: 'm_postback', title: 'Start', payload: 'START' } }),
  'a postback without a message': page.of({ postback: { payload: 'START' } }),
  'an opt-in': page.of({ optin: { type: 'notification_messages', payload: 'news' } }),
  'a referral': page.of({ referral: { ref: 'spring', source: 'SHORTLINK', type: 'OPEN_THREAD' } }),
  'a handover': page.of({ pass_thread_control: { new_owner_app_id: '5', metadata: 'x' } }),
  'a message on standby': messagingOf('pageapp', '3088', 'standby').of({ message: { mid: 'm_text', text: 'Hello' } }),
  'an echo on standby': messagingOf('pageapp', '3088', 'standby').of(
    { message: { mid: 'm_echo', is_echo: true } },
    page.own,
  ),
  'an own comment': feed({ ...feedComment, verb: 'add', from: { id: '3088' } }),
  'a comment': feed({ ...feedComment, verb: 'add', message: 'Nice' }),
  'an edited comment': feed({ ...feedComment, verb: 'edited', message: 'Very nice' }),
  'a hidden comment': feed({ ...feedComment, verb: 'hide' }),
  'a removed comment': feed({ ...feedComment, verb: 'remove' }),
  'a post': feed({ item: 'status', verb: 'add', message: 'News' }),
  'a photo': feed({ item: 'photo', verb: 'add', photo_id: '7', link: 'https://cdn.example.com/7' }),
  'a video': feed({ item: 'video', verb: 'add' }),
  'a shared post': feed({ item: 'share', verb: 'add' }),
  'a reaction to a post': feed({ item: 'reaction', verb: 'add', reaction_type: 'like' }),
  'a feed item of an unknown kind': feed({ item: 'never_seen', verb: 'add' }),
  'a new name': page.change('name', 'Sunrise Bakery'),
  'a mention': page.change('mention', { post_id: '77_1', sender_id: '88', item: 'post', verb: 'add' }),
  'a rating': page.change('ratings', { reviewer: { id: '88', name: 'Kerry' }, verb: 'add', item: 'rating' }),
  'a form that was filled in': page.change('leadgen', { leadgen_id: '6', form_id: '5', created_time: SECONDS }),
};
