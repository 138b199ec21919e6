import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { useAction } from '../../kit/calls.ts';
import { Dialog } from '../../kit/dialogs.tsx';
import { localTimeOf, parseLocalTime } from '../../kit/format/format.ts';
import { ActionForm, TextField } from '../../kit/forms.tsx';
import { toast } from '../../kit/toast.tsx';
import { api } from '../../session/api.ts';
import { PostFields } from '../containers/container-fields.tsx';
import { changedContainerBody, containerFieldsOf } from '../containers/container-form.ts';
import type { ScheduledPost } from './kinds.ts';

interface PostDialogProps {
  readonly channelId: string;
  readonly post: ScheduledPost;
  readonly onClose: () => void;
}

/** The API sends back what it accepted. */
const inputOf = ({ container }: ScheduledPost) => container as Schema<'MediaContainerInput'> | null;

export function ChangePostDialog({ channelId: ch, post, onClose }: PostDialogProps) {
  const input = inputOf(post);
  const [time, setTime] = useState(localTimeOf(post.publishAt));
  const [fields, setFields] = useState(() => input && containerFieldsOf(input));
  const [isEdited, setEdited] = useState(false);
  const publishAt = parseLocalTime(time);
  const action = useAction(async () => {
    const params = { path: { ch, sp: post.scheduledPostId } };
    const isMoved = time !== localTimeOf(post.publishAt); // the field has no seconds
    const container = input && fields && isEdited ? changedContainerBody(input, fields) : null;
    const body = { ...(isMoved && publishAt !== null && { publishAt }), ...(container && { container }) };
    await api.patch('/channels/{ch}/photoapp/scheduled-posts/{sp}', { params, body });
    toast('Post changed.');
    onClose();
  });
  const change = (changes: Partial<NonNullable<typeof fields>>) => {
    setEdited(true);
    setFields((before) => before && { ...before, ...changes });
  };
  return (
    <Dialog title="Change scheduled post" onClose={onClose}>
      <ActionForm action={action} submit="Save changes" disabled={publishAt === null} onCancel={onClose}>
        <TextField
          label="Publish at"
          type="datetime-local"
          hint="In your time zone, at most 90 days ahead."
          required
          value={time}
          onValue={setTime}
        />
        {fields && <PostFields fields={fields} onChange={change} />}
      </ActionForm>
    </Dialog>
  );
}
