import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Button } from '../../kit/button.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { DescriptionList } from '../../kit/description-list.tsx';
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { TextField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { formatExactTime } from '../../kit/format/format-relative-time.ts';
import { JsonView } from '../../kit/json-view.tsx';
import { toast } from '../../kit/toast.tsx';
import { api } from '../../session/api.ts';
import { parseLocalTime } from '../audit/parse-local-time.ts';
import { localTimeOf } from '../operations/scheduled-message-status.ts';
import { changedContainerBody, containerFieldsOf } from './container-form.ts';
import { MediaFields } from './media-fields.tsx';
import { PostFields } from './post-fields.tsx';
import { UserTagFields } from './user-tag-fields.tsx';

export type ScheduledPost = Schema<'ScheduledPost'>;

interface PostDialogProps {
  readonly channelId: string;
  readonly post: ScheduledPost;
  readonly onClose: () => void;
}

export function PostDetailsDialog({ post, onClose }: Omit<PostDialogProps, 'channelId'>) {
  const { publishAt, status, statusDetail, createdBy, createdAt, endedAt, container } = post;
  const timeOf = (instant: string | null) => (instant === null ? '–' : formatExactTime(new Date(instant)));
  return (
    <Dialog title={`Scheduled post ${post.scheduledPostId}`} isWide onClose={onClose}>
      <DescriptionList
        items={[
          ['Publish at', timeOf(publishAt)],
          ['Status', statusDetail === null ? status : `${status}: ${statusDetail}`],
          ['Scheduled by', <code>{createdBy}</code>],
          ['Scheduled', timeOf(createdAt)],
          ['Ended', timeOf(endedAt)],
        ]}
      />
      {container ? <JsonView text={JSON.stringify(container)} what="post" /> : <p>The content is erased.</p>}
      <div class="form-actions">
        <Button tone="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
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
      <Form action={action} submit="Save changes" disabled={publishAt === null} onCancel={onClose}>
        <TextField
          label="Publish at"
          type="datetime-local"
          hint="In your time zone, at most 90 days ahead."
          required
          value={time}
          onValue={setTime}
        />
        {fields && (
          <>
            <MediaFields fields={fields} onChange={change} />
            <PostFields fields={fields} onChange={change} />
            <UserTagFields fields={fields} onChange={change} />
          </>
        )}
      </Form>
    </Dialog>
  );
}

export function CancelPostDialog({ channelId: ch, post, onClose }: PostDialogProps) {
  const cancel = async () => {
    const params = { path: { ch, sp: post.scheduledPostId } };
    await api.post('/channels/{ch}/photoapp/scheduled-posts/{sp}/cancel', { params });
    toast('Post cancelled.');
  };
  return (
    <ConfirmDialog title="Cancel post" submit="Cancel post" dismiss="Keep" onConfirm={cancel} onClose={onClose}>
      <p>The post of {formatExactTime(new Date(post.publishAt))} is not published.</p>
    </ConfirmDialog>
  );
}
