import { REQUEST_MESSAGES } from "@server/contract/messages/requests";
import type { Request } from "@server/contract/views";
import { Ellipsis } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { ActionMenu } from "@/ui/action-menu";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { IconButton } from "@/ui/icon-button";
import { Select } from "@/ui/select";
import { TextArea } from "@/ui/text-area";
import { TextInput } from "@/ui/text-input";
import { ReplyForm } from "./reply-form";
import { useDecisions, useRequests } from "./use-requests";

type Mode = "accept" | "ask" | "decline" | "duplicate";
type FormProps = { request: Request; decisions: ReturnType<typeof useDecisions>; onDone: () => void };

/** What the firm may do with a request that waits: three buttons, and a menu for the rest. Design 3.13. */
export function RequestDecisions({ request }: { request: Request }) {
  const [mode, setMode] = useState<Mode | null>(null);
  const decisions = useDecisions();
  const part = useRef<HTMLDivElement>(null);
  const shown = useRef(mode);
  useEffect(() => {
    // What had the focus has gone with the other form.
    if (shown.current !== mode) part.current?.querySelector<HTMLElement>("input,textarea,select,button")?.focus();
    shown.current = mode;
  }, [mode]);
  const { id: requestId } = request;
  const form = { request, decisions, onDone: () => setMode(null) };
  const reply = { subjectId: requestId, onCancel: form.onDone };
  return (
    <div ref={part} className="mt-5 border-line border-t pt-4">
      {mode === null && (
        <div className="flex flex-wrap items-center gap-2">
          <Button variant="tonal" onClick={() => setMode("accept")}>
            Accept
          </Button>
          <Button onClick={() => setMode("ask")}>Ask back</Button>
          <Button variant="danger" onClick={() => setMode("decline")}>
            Decline
          </Button>
          <ActionMenu
            label="Request actions"
            trigger={<IconButton icon={Ellipsis} label="More actions" />}
            entries={[{ label: "Duplicate of…", onSelect: () => setMode("duplicate") }]}
          />
        </div>
      )}
      {mode === "accept" && <AcceptForm {...form} />}
      {mode === "duplicate" && <DuplicateForm {...form} />}
      {mode === "ask" && (
        <ReplyForm
          {...reply}
          label="Question"
          hint="The client reads it and answers here."
          submit="Ask back"
          busyLabel="Sending..."
          required={REQUEST_MESSAGES.replyRequired}
          maxLength={5000}
          onSend={(text) => decisions.askBack.mutateAsync({ requestId, text }).then(form.onDone)}
        />
      )}
      {mode === "decline" && (
        <ReplyForm
          {...reply}
          label="Reason"
          hint="The client reads it."
          submit="Decline"
          busyLabel="Declining..."
          required={REQUEST_MESSAGES.reasonRequired}
          maxLength={2000}
          onSend={(reason) => decisions.decline.mutateAsync({ requestId, reason }).then(form.onDone)}
        />
      )}
    </div>
  );
}

/** The task that it becomes, with the request's title and text to begin with. */
function AcceptForm({ request, decisions: { accept }, onDone }: FormProps) {
  const [title, setTitle] = useState(request.title);
  const [description, setDescription] = useState(request.text);
  const [dueDate, setDueDate] = useState("");
  const isComplete = title.trim() !== "" && description.trim() !== "";
  function send(event: FormEvent): void {
    event.preventDefault();
    if (!isComplete || accept.isPending) return;
    accept.mutate({ requestId: request.id, task: { title, description, dueDate } }, { onSuccess: onDone });
  }
  return (
    <form noValidate aria-label="Accept request" onSubmit={send} className="grid gap-3">
      <Field label="Title" error={title.trim() === "" ? REQUEST_MESSAGES.titleRequired : undefined} required>
        <TextInput dir="auto" autoComplete="off" value={title} onChange={({ target }) => setTitle(target.value)} />
      </Field>
      <Field
        label="Description"
        error={description.trim() === "" ? REQUEST_MESSAGES.replyRequired : undefined}
        required
      >
        <TextArea dir="auto" rows={5} value={description} onChange={({ target }) => setDescription(target.value)} />
      </Field>
      <Field label="Due date" mark="optional">
        <TextInput type="date" value={dueDate} onChange={({ target }) => setDueDate(target.value)} />
      </Field>
      <FormButtons submit="Create task" busyLabel="Creating..." isBusy={accept.isPending} onCancel={onDone} />
    </form>
  );
}

function DuplicateForm({ request, decisions: { markDuplicate }, onDone }: FormProps) {
  const { data } = useRequests({ projectId: request.projectId });
  const others = (data ?? []).filter(({ id, status }) => id !== request.id && status !== "duplicate");
  const [chosen, setChosen] = useState("");
  const ofRequestId = chosen || others[0]?.id;
  function send(event: FormEvent): void {
    event.preventDefault();
    if (!ofRequestId || markDuplicate.isPending) return;
    markDuplicate.mutate({ requestId: request.id, ofRequestId }, { onSuccess: onDone });
  }
  return (
    <form aria-label="Duplicate of" onSubmit={send} className="grid gap-3">
      <Field label="Duplicate of" hint={data && others.length === 0 ? "This project has no other request." : undefined}>
        <Select value={ofRequestId ?? ""} onChange={({ target }) => setChosen(target.value)}>
          {others.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </Select>
      </Field>
      <FormButtons
        submit="Mark as duplicate"
        busyLabel="Saving..."
        isBusy={markDuplicate.isPending}
        onCancel={onDone}
      />
    </form>
  );
}

type FormButtonsProps = { submit: string; busyLabel: string; isBusy: boolean; onCancel: () => void };

function FormButtons({ submit, busyLabel, isBusy, onCancel }: FormButtonsProps) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button variant="quiet" onClick={onCancel}>
        Cancel
      </Button>
      <Button variant="primary" type="submit" busy={isBusy} busyLabel={busyLabel}>
        {submit}
      </Button>
    </div>
  );
}
