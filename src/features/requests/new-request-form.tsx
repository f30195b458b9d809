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
import { useCheckedForm } from "@/lib/use-checked-form";
import { reasonOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { FormDialog } from "@/ui/form-dialog";
import { InlineAlert } from "@/ui/inline-alert";
import { Select } from "@/ui/select";
import { Steady } from "@/ui/steady";
import { TextArea } from "@/ui/text-area";
import { TextInput } from "@/ui/text-input";
import { type RequestDraft, readRequestDraft, writeRequestDraft } from "./request-draft";
import { URGENCY_LABELS } from "./request-text";
import { useCreateRequest } from "./use-request-actions";

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
  const create = useCreateRequest();
  const { errors, clearErrors, send } = useCheckedForm({
    schema: createRequestSchema,
    mutation: create,
    drawn: ["projectId", "title", "text", "urgency", "files"],
    onSent(request) {
      writeRequestDraft(draftKey, null);
      setDirty(false);
      announce("Request sent");
      onCreated(request);
    },
    onFailed(error) {
      if (reasonOf(error) !== "key-taken") return;
      // The first one has arrived, only its answer was lost. What was changed since then is another.
      const renewed = { clientRequestId: newKey() };
      setFields((now) => ({ ...now, ...renewed }));
      const draft = readRequestDraft(draftKey);
      if (draft) writeRequestDraft(draftKey, { ...draft, ...renewed });
    },
  });
  const uploads = useUploads({ uploaded: fields.files, onChange: (files) => change({ files }) });
  const guard = useDiscardGuard({
    isDirty: open && isDirty,
    isBusy: open && create.isPending,
    onDiscard() {
      writeRequestDraft(draftKey, null);
      setDirty(false);
    },
  });
  function change(changes: Partial<RequestDraft>): void {
    const next = { ...fields, ...changes };
    setFields(next);
    setDirty(true);
    clearErrors();
    writeRequestDraft(draftKey, next);
  }
  // Another can be left of a draft, or collaboration was switched off there. It is not replaced by itself: that would file it elsewhere.
  const isOffered = projects.some(({ id }) => id === fields.projectId);
  function submit(event: FormEvent): void {
    const { files: _, ...typed } = fields;
    const fileIds = uploads.files.map(({ id }) => id);
    const asked = { ...typed, fileIds, ...(message && { messageId: message.id }) };
    void send(event, asked, {
      ...(uploads.obstacle && { files: uploads.obstacle }),
      ...(!isOffered && { projectId: "Choose a project." }),
    });
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
          <form id={formId} noValidate onSubmit={submit}>
            <UploadArea uploads={uploads} className="grid gap-4">
              <Field label="Project" error={errors.projectId} required>
                <Select
                  value={isOffered ? fields.projectId : ""}
                  onChange={({ target }) => change({ projectId: target.value })}
                >
                  {!isOffered && (
                    <option value="" disabled>
                      Choose a project
                    </option>
                  )}
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
              <Steady>{errors.files && <InlineAlert tone="red">{errors.files}</InlineAlert>}</Steady>
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
