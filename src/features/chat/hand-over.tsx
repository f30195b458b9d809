import { handOverSchema } from "@server/contract/chat";
import { useId, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { useAssignable } from "@/features/users/use-users";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { useCheckedForm } from "@/lib/use-checked-form";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Dialog, type FocusTarget } from "@/ui/dialog";
import { ErrorState } from "@/ui/error-state";
import { Field } from "@/ui/field";
import { Select } from "@/ui/select";
import { Skeleton } from "@/ui/skeleton";
import { TextInput } from "@/ui/text-input";
import { checkCoverDay, firstCoverDay } from "./cover-day";
import { useHandOver } from "./use-covers";

/** A conversation that somebody else shall cover: one's own, or that of an admin who is not active any more. */
export interface Handed {
  conversationId: string;
  ownerId: string;
  partnerName: string;
}

type HandOverProps = { handed: Handed; onClose: () => void; finalFocus?: FocusTarget };

/** "Hand over": to another active admin, until a day or until it is taken back. */
export function HandOver({ handed, onClose, finalFocus }: HandOverProps) {
  const { conversationId, ownerId, partnerName } = handed;
  const me = useMe();
  const formId = useId();
  const people = useAssignable();
  const handOver = useHandOver();
  const admins = people.data?.filter(({ id, accountType }) => accountType === "admin" && id !== ownerId) ?? [];
  const isOwn = ownerId === me.id;
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [day, setDay] = useState("");
  useUnsavedForm(() => chosenId !== null || day !== "");
  const { errors, clearErrors, send } = useCheckedForm({
    schema: handOverSchema,
    mutation: handOver,
    drawn: ["toUserId", "until"],
    onSent: onClose,
  });
  // What is on its way can't be called back.
  const leave = () => handOver.isPending || onClose();
  const until = day === "" ? null : new Date(`${day}T00:00`);
  const toUserId = chosenId ?? admins[0]?.id;
  return (
    <Dialog
      open
      size="sm"
      onOpenChange={(next) => !next && leave()}
      finalFocus={finalFocus}
      title="Hand over conversation"
      description={`The other admin can read all of it and answers ${partnerName}, who sees their name.`}
      footer={
        <>
          <Button variant="quiet" aria-disabled={handOver.isPending} onClick={leave}>
            Cancel
          </Button>
          {admins.length > 0 && (
            <Button variant="primary" type="submit" form={formId} busy={handOver.isPending} busyLabel="Handing over...">
              Hand over
            </Button>
          )}
        </>
      }
    >
      {people.isPending ? (
        <Skeleton className="h-28" />
      ) : people.isError ? (
        <ErrorState message={messageOf(people.error)} busy={people.isFetching} onRetry={() => void people.refetch()} />
      ) : admins.length === 0 ? (
        <p>There is no other active admin.</p>
      ) : (
        <form
          id={formId}
          noValidate
          onSubmit={(event) => void send(event, { conversationId, toUserId, until }, checkCoverDay(day))}
          className="grid gap-4"
        >
          <Field label="To" error={errors.toUserId} required>
            <Select value={toUserId} onChange={({ target }) => setChosenId(target.value)}>
              {admins.map(({ id, name }) => (
                <option key={id} value={id}>
                  {id === me.id ? `${name} (you)` : name}
                </option>
              ))}
            </Select>
          </Field>
          <Field
            label="Until"
            mark="optional"
            error={errors.until}
            hint={
              isOwn
                ? "The day you are back. Leave it empty to take it back yourself."
                : "Leave it empty to end the cover yourself."
            }
          >
            <TextInput
              type="date"
              min={firstCoverDay()}
              value={day}
              onChange={({ target }) => {
                setDay(target.value);
                clearErrors();
              }}
            />
          </Field>
        </form>
      )}
    </Dialog>
  );
}
