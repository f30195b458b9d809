import { GENERAL_MESSAGES } from "@server/contract/messages/general";
import { TASK_MESSAGES } from "@server/contract/messages/tasks";
import type { Task } from "@server/contract/views";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { fieldErrorsOf, messageOf, reasonOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";
import { useKeptEdit } from "./task-drafts";
import { isSame, type TaskField } from "./task-edits";
import { useTaskRecord } from "./use-task-page";

const SAVED_MS = 2_000;
/** Somebody else was first, each time. */
const MAX_TRIES = 5;

/** An edit of a field. */
interface Edit<Value> {
  value: Value;
  /** What it changes. */
  base: Value;
  /** The edit that was on its way when this one began. */
  after: Edit<Value> | null;
  isSaved: boolean;
}

/** Both have changed the field, differently: somebody has to choose. */
class FieldConflict extends Error {
  constructor(readonly theirs: Task) {
    super("The field was changed meanwhile.");
  }
}

/** What became of the last edit of a field. */
type SaveState = "none" | "saving" | "saved" | "refused" | "conflict";

/**
 * Saves one field of a task, by itself. Shown at once and rolled back when the server refuses. The edits of a task run one after
 * the other; each is merged with what others have changed meanwhile.
 */
export function useFieldSave<Value>({ task, taskKey, field }: FieldOptions<Value>) {
  const record = useTaskRecord(task);
  const isMounted = useIsMounted();

  async function send(edit: Edit<Value>, tries = 1): Promise<void> {
    const known = record.known() ?? task;
    const merged = field.merge({ base: baseOf(edit), mine: edit.value, theirs: field.of(known) });
    if (merged === undefined) throw new FieldConflict(known);
    try {
      if (!isSame(merged, field.of(known))) await record.update({ version: known.version, patch: field.patch(merged) });
      edit.isSaved = true;
    } catch (error) {
      if (reasonOf(error) !== "stale-version" || tries === MAX_TRIES) throw error;
      await record.reload(taskKey);
      await send(edit, tries + 1);
    }
  }

  const [kept, keep] = useKeptEdit(task.id, field);
  /** The last edit that is on its way. The mutation says so a turn later, and a second press would find the field as before the first. */
  const [sent, setSent] = useState<Edit<Value> | null>(null);
  const { mutateAsync, reset, ...saving } = useMutation({
    scope: { id: `task-fields-${task.id}` },
    mutationFn: (edit: Edit<Value>) => send(edit),
    onSuccess() {
      keep(null);
      announce(`${field.label} saved`);
    },
    // With the page closed nobody sees it in place. Text is kept as a draft.
    onError(error, edit) {
      keep({ value: edit.value, base: baseOf(edit) });
      if (!isMounted.current) toast.error(TASK_MESSAGES.updateFailed, { description: whyRefused(error) });
    },
  });
  const { isPending, isSuccess, error, variables } = saving;
  useUnsavedForm(() => field.parse !== undefined && (isPending || kept !== null));
  useEffect(() => {
    if (!isSuccess) return undefined;
    const timer = setTimeout(reset, SAVED_MS);
    return () => clearTimeout(timer);
  }, [isSuccess, reset]);

  const live = field.of(task);
  const theirs = error instanceof FieldConflict ? error.theirs : null;
  const unsaved = kept && (field.merge({ ...kept, mine: kept.value, theirs: live }) ?? kept.value);
  const mine = isPending || unsaved === null ? variables?.value : unsaved;
  const isMoot = mine !== undefined && isSame(mine, live);
  const state: SaveState = isPending
    ? "saving"
    : isSuccess
      ? "saved"
      : !(error || unsaved) || isMoot
        ? "none"
        : theirs
          ? "conflict"
          : "refused";
  /** Whether it was saved; `base` is what it changes, by default what stands there. */
  function save(value: Value, base: Value = live): Promise<boolean> {
    const edit: Edit<Value> = { value, base, after: sent, isSaved: false };
    setSent(edit);
    return mutateAsync(edit)
      .then(
        () => true,
        () => false,
      )
      .finally(() => setSent((last) => (last === edit ? null : last)));
  }
  return {
    /** What the field shows: what was chosen, until the server has answered; text also when it was refused. */
    shown: sent ? sent.value : (unsaved ?? live),
    state,
    /** Why it was refused. */
    message: state !== "refused" ? null : error ? whyRefused(error) : GENERAL_MESSAGES.typedIsKept,
    /** What was not saved. */
    mine,
    save,
    /** Sends it once more; after a conflict over whatever stands there, else only where nobody else has changed it meanwhile. */
    retry() {
      if (mine === undefined) return;
      const isMerged = theirs !== null || unsaved !== null || variables === undefined;
      void save(mine, isMerged ? live : baseOf(variables));
    },
    /** Keeps what stands there. */
    dismiss: reset,
  };
}

export type FieldSave<Value> = ReturnType<typeof useFieldSave<Value>>;

export interface FieldOptions<Value> {
  task: Task;
  taskKey: string;
  field: TaskField<Value>;
}

/** About the field itself, where the server says so. */
function whyRefused(error: unknown): string {
  const [complaint] = Object.values(fieldErrorsOf(error));
  return complaint ?? messageOf(error);
}

/** What an edit changes: the one before it if that was saved, else what that one was to change. */
function baseOf<Value>({ base, after }: Edit<Value>): Value {
  if (!after) return base;
  return after.isSaved ? after.value : baseOf(after);
}

function useIsMounted() {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}
