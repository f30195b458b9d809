import { REQUEST_URGENCIES } from "@db/client-enums";
import { createRequestSchema } from "@server/contract/requests";
import type { Project, Request } from "@server/contract/views";
import { type FormEvent, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { AttachButton, UploadArea } from "@/features/files/upload-area";
import { UploadList } from "@/features/files/upload-list";
import { useUploads } from "@/features/files/use-uploads";
import { useDiscardGuard } from "@/features/projects/use-discard-guard";
import { newKey } from "@/lib/new-key";
import { titleOf } from "@/lib/title-of";
import { fieldErrorsOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { FormDialog } from "@/ui/form-dialog";
import { InlineAlert } from "@/ui/inline-alert";
import { Select } from "@/ui/select";
import { TextArea } from "@/ui/text-area";
import { TextInput } from "@/ui/text-input";
import { firstErrors } from "./form-errors";
import { type RequestDraft, readRequestDraft, writeRequestDraft } from "./request-draft";
import { URGENCY_LABELS } from "./request-text";
import { useCreateRequest } from "./use-requests";

export type NewRequestFormProps = {
  open: boolean;
  onClose: () => void;
  /** In which a request may be filed. */
  projects: readonly Project[];
  /** The message that it is made of, with the text that it begins with. */
  message?: { id: string; text: string } | undefined;
  onCreated: (request: Request) => void;
};

/** "New request". What was typed survives a failure and a reload; only Discard drops it. */
export function NewRequestForm({ open, onClose, projects, message, onCreated }: NewRequestFormProps) {
  const draftKey = `draft-new-request-${useMe().id}-${message?.id ?? ""}`;
  const [fields, setFields] = useState(() => readRequestDraft(draftKey) ?? blank(projects, message?.text));
  const [isDirty, setDirty] = useState(() => readRequestDraft(draftKey) !== null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const create = useCreateRequest();
  const uploads = useUploads({ uploaded: fields.files, onChange: (files) => change({ files }) });
  const guard = useDiscardGuard({
    isDirty: open && isDirty,
    onDiscard() {
      writeRequestDraft(draftKey, null);
      setDirty(false);
    },
  });
  function change(changes: Partial<RequestDraft>): void {
    const next = { ...fields, ...changes };
    setFields(next);
    setDirty(true);
    setErrors({});
    writeRequestDraft(draftKey, next);
  }
  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (create.isPending) return;
    const { files: _, ...typed } = fields;
    const asked = {
      ...typed,
      fileIds: uploads.files.map(({ id }) => id),
      ...(message && { messageId: message.id }),
    };
    const { success, data, error } = createRequestSchema.safeParse(asked);
    if (!success) return setErrors(firstErrors(error.issues));
    if (uploads.obstacle) return setErrors({ files: uploads.obstacle });
    try {
      const request = await create.mutateAsync(data);
      writeRequestDraft(draftKey, null);
      setDirty(false);
      announce("Request sent");
      onCreated(request);
    } catch (refused) {
      setErrors(fieldErrorsOf(refused));
    }
  }
  return (
    <FormDialog
      open={open}
      onLeave={() => guard.leave(onClose)}
      title="New request"
      submit="Send request"
      busy={create.isPending}
      busyLabel="Sending..."
    >
      {(formId) => (
        <>
          <form id={formId} noValidate onSubmit={(event) => void send(event)}>
            <UploadArea uploads={uploads} className="grid gap-4">
              <Field label="Project" error={errors.projectId} required>
                <Select value={fields.projectId} onChange={({ target }) => change({ projectId: target.value })}>
                  {projects.map(({ id, title }) => (
                    <option key={id} value={id}>
                      {title}
                    </option>
                  ))}
                </Select>
              </Field>
              <Field label="Title" error={errors.title} required>
                <TextInput
                  dir="auto"
                  autoComplete="off"
                  value={fields.title}
                  onChange={({ target }) => change({ title: target.value })}
                />
              </Field>
              <Field label="What do you need?" error={errors.text} required>
                <TextArea
                  dir="auto"
                  rows={5}
                  value={fields.text}
                  onChange={({ target }) => change({ text: target.value })}
                />
              </Field>
              <Field label="How urgent is it for you?" error={errors.urgency}>
                <Select
                  value={fields.urgency}
                  onChange={({ target }) => {
                    const urgency = REQUEST_URGENCIES.find((one) => one === target.value);
                    if (urgency) change({ urgency });
                  }}
                >
                  {REQUEST_URGENCIES.map((one) => (
                    <option key={one} value={one}>
                      {URGENCY_LABELS[one]}
                    </option>
                  ))}
                </Select>
              </Field>
              <UploadList uploads={uploads} />
              {errors.files && <InlineAlert tone="red">{errors.files}</InlineAlert>}
              <AttachButton
                uploads={uploads}
                render={(choose) => (
                  <Button size="sm" className="w-fit" onClick={choose}>
                    Attach files
                  </Button>
                )}
              />
            </UploadArea>
          </form>
          {guard.question}
        </>
      )}
    </FormDialog>
  );
}

function blank(projects: readonly Project[], text = ""): RequestDraft {
  const [first] = projects;
  return {
    projectId: first?.id ?? "",
    title: titleOf(text),
    text,
    urgency: "normal",
    clientRequestId: newKey(),
    files: [],
  };
}
