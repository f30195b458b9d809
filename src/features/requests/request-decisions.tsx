import { REQUEST_MESSAGES } from "@server/contract/messages/requests";
import type { Request } from "@server/contract/views";
import { Ellipsis } from "lucide-react";
import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { readTextDraft } from "@/lib/text-draft";
import { messageOf } from "@/lib/user-message";
import { ActionMenu } from "@/ui/action-menu";
import { Button } from "@/ui/button";
import { ErrorState } from "@/ui/error-state";
import { Field } from "@/ui/field";
import { FormButtons } from "@/ui/form-buttons";
import { IconButton } from "@/ui/icon-button";
import { ReplyForm } from "@/ui/reply-form";
import { Select } from "@/ui/select";
import { acceptDraftKey, readAcceptDraft } from "./accept-draft";
import { replyDraftKey } from "./request-draft";
import { useDecisions } from "./use-request-actions";
import { useRequests } from "./use-requests";

/** Brings fields of tasks along, which clients and those who only read have no use for. */
const AcceptForm = lazy(() => import("./accept-form").then((module) => ({ default: module.AcceptForm })));

type Mode = "accept" | "ask" | "decline" | "duplicate";
type FormProps = { request: Request; decisions: ReturnType<typeof useDecisions>; onDone: () => void };

/** What the firm may do with a request that waits: three buttons, and a menu for the rest. Design 3.13. */
export function RequestDecisions({ request }: { request: Request }) {
  const me = useMe();
  const [mode, setMode] = useState<Mode | null>(() => modeOfDraft(me.id, request.id));
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
  const ids = { userId: me.id, requestId };
  return (
    <div ref={part} className="mt-5 border-line border-t pt-4">
      {mode === null && (
        <div className="flex items-center gap-2 max-sm:gap-1">
          <Button variant="tonal" onClick={() => setMode("accept")}>
            Accept
          </Button>
          <Button onClick={() => setMode("ask")}>Ask back</Button>
          <Button variant="danger" onClick={() => setMode("decline")}>
            Decline
          </Button>
          <ActionMenu
            label="Request actions"
            trigger={<IconButton icon={Ellipsis} label="More actions" className="max-sm:ms-auto" />}
            entries={[{ label: "Duplicate of…", onSelect: () => setMode("duplicate") }]}
          />
        </div>
      )}
      {mode === "accept" && (
        <Suspense>
          <AcceptForm request={request} accept={decisions.accept} onDone={form.onDone} />
        </Suspense>
      )}
      {mode === "duplicate" && <DuplicateForm {...form} />}
      {mode === "ask" && (
        <ReplyForm
          draftKey={replyDraftKey("question", ids)}
          label="Question"
          hint="The client reads it and can answer here."
          submit="Ask back"
          busyLabel="Sending..."
          required={REQUEST_MESSAGES.replyRequired}
          maxLength={5000}
          onSend={(text) => decisions.askBack.mutateAsync({ requestId, text }).then(form.onDone)}
          onCancel={form.onDone}
        />
      )}
      {mode === "decline" && (
        <ReplyForm
          draftKey={replyDraftKey("reason", ids)}
          label="Reason"
          hint="The client reads it."
          submit="Decline"
          busyLabel="Declining..."
          required={REQUEST_MESSAGES.reasonRequired}
          maxLength={2000}
          onSend={(reason) => decisions.decline.mutateAsync({ requestId, reason }).then(form.onDone)}
          onCancel={form.onDone}
        />
      )}
    </div>
  );
}

/** What was being written before a reload goes on. */
function modeOfDraft(userId: string, requestId: string): Mode | null {
  if (readAcceptDraft(acceptDraftKey(userId, requestId))) return "accept";
  if (readTextDraft(replyDraftKey("question", { userId, requestId }))) return "ask";
  return readTextDraft(replyDraftKey("reason", { userId, requestId })) ? "decline" : null;
}

function DuplicateForm({ request, decisions: { markDuplicate }, onDone }: FormProps) {
  const requests = useRequests({ projectId: request.projectId });
  const others = (requests.data ?? []).filter(({ id, status }) => id !== request.id && status !== "duplicate");
  const [chosen, setChosen] = useState("");
  const [isMissing, setMissing] = useState(false);
  const ofRequestId = chosen || others[0]?.id;
  function send(event: FormEvent): void {
    event.preventDefault();
    setMissing(!ofRequestId);
    if (!ofRequestId || markDuplicate.isPending) return;
    markDuplicate.mutate({ requestId: request.id, ofRequestId }, { onSuccess: onDone });
  }
  const nothing = requests.isPending ? REQUEST_MESSAGES.othersLoading : REQUEST_MESSAGES.noOther;
  return (
    <form aria-label="Duplicate of" onSubmit={send} className="grid gap-3">
      {requests.isLoadingError ? (
        <ErrorState
          message={`${REQUEST_MESSAGES.othersFailed} ${messageOf(requests.error)}`}
          busy={requests.isFetching}
          onRetry={() => void requests.refetch()}
          className="py-4"
        />
      ) : (
        <Field
          label="Duplicate of"
          error={isMissing && !ofRequestId ? nothing : undefined}
          hint={!isMissing && requests.data && others.length === 0 ? nothing : undefined}
        >
          <Select value={ofRequestId ?? ""} onChange={({ target }) => setChosen(target.value)}>
            {others.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <FormButtons submit="Mark as duplicate" busyLabel="Saving..." busy={markDuplicate.isPending} onCancel={onDone} />
    </form>
  );
}
