import { COMMIT_MODES, type CommitMode } from "@db/client-enums";
import { commitViewSchema } from "@server/contract/commit-view";
import { maskTask } from "@server/contract/masked-commits";
import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { CommitView, Project, TaskCommit } from "@server/contract/views";
import { useEffect, useId } from "react";
import { useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { useMe } from "@/features/auth/use-auth";
import { useTasks } from "@/features/tasks/use-tasks";
import { formatDay, today } from "@/lib/format";
import { readDraft, useDraft } from "@/lib/session-draft";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { useSubmitOnce } from "@/lib/use-submit-once";
import { fieldErrorsOf, reasonOf } from "@/lib/user-message";
import { Complaint } from "@/ui/complaint";
import { Field } from "@/ui/field";
import { FormButtons } from "@/ui/form-buttons";
import { Select } from "@/ui/select";
import { TextArea } from "@/ui/text-area";
import { toast } from "@/ui/toast";
import { COMMIT_VIEW_TITLE } from "./commit-view-text";
import { useReloadProject, useUpdateProject } from "./use-projects";

/** The choices of the form. */
const COMMIT_MODE_LABELS: Record<CommitMode, string> = {
  titles: "Their titles and texts",
  counts: "How many there were on each day",
  hidden: "Nothing",
};

const TEXTS = {
  modeHint:
    "Applies to the client and client people everywhere: lists, tasks, sign-offs and emails. The link to the repository stays.",
  maskedWordsHint:
    "One per line. Case is ignored, and words are masked inside longer words and names too. Commits with a masked word have no link.",
  saved: "Saved. The client sees it from now on.",
  hidden: "Nothing about commits.",
  changed: (view: CommitView) =>
    `Someone has changed this to "${COMMIT_MODE_LABELS[view.mode]}"${view.maskedWords.length > 0 ? `, with these words masked: ${view.maskedWords.join(", ")}` : ""}. Save again to replace that with your choice.`,
  noPreview: "No commit names a task of this project yet.",
} as const;

/** Words as they are typed, one a line, and the choice that stood when the typing began. */
const draftSchema = z.object({ mode: z.enum(COMMIT_MODES), masked: z.string(), base: z.string() });
type Values = z.output<typeof draftSchema>;

function parseDraft(stored: unknown): Values | null {
  return draftSchema.safeParse(stored).data ?? null;
}

function baseOf({ mode, maskedWords }: CommitView): string {
  return [mode, ...maskedWords].join("\n");
}

function viewOf({ mode, masked }: Pick<Values, "mode" | "masked">): CommitView {
  const lines = masked.split("\n").map((line) => line.trim());
  return { mode, maskedWords: lines.filter((line) => line !== "") };
}

type CommitViewFormProps = { project: Project; commitView: CommitView; onClose: () => void };

/** The choice with a preview. What was typed stays when it is closed or refused. */
export function CommitViewForm({ project, commitView, onClose }: CommitViewFormProps) {
  const key = `commit-view:${useMe().id}:${project.id}`;
  const saved: Values = { mode: commitView.mode, masked: commitView.maskedWords.join("\n"), base: baseOf(commitView) };
  const { register, handleSubmit, control, setError, setFocus, getValues, setValue, reset, formState } =
    useForm<Values>({
      defaultValues: readDraft(key, parseDraft) ?? saved,
    });
  const draft = useDraft({ key, parse: parseDraft, onOther: (other) => other && reset(other) });
  const { mode = saved.mode, masked = saved.masked } = useWatch({ control });
  const { save, error } = useSaveCommitView(project);
  useEffect(() => setFocus("mode"), [setFocus]);
  useUnsavedForm(() => readDraft(key, parseDraft) !== null);
  function refuse(message: string): void {
    // Only "titles" shows the words.
    if (getValues("mode") === "titles") setError("masked", { type: "custom", message }, { shouldFocus: true });
    else setError("root", { type: "custom", message });
  }
  function askAgain(current: CommitView): void {
    setValue("base", baseOf(current));
    draft.write(getValues());
    setError("root", { type: "custom", message: TEXTS.changed(current) });
  }
  /** What was typed while it was saved is not in what was saved. */
  function goOn(sent: Values, current: CommitView): void {
    const now = getValues();
    if (now.mode === sent.mode && now.masked === sent.masked) {
      draft.write(null);
      onClose();
      return;
    }
    setValue("base", baseOf(current));
    draft.write(getValues());
  }
  const submit = useSubmitOnce(
    handleSubmit(async (values) => {
      const parsed = commitViewSchema.safeParse(viewOf(values));
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        return refuse(issue?.message ?? "");
      }
      if (values.base !== baseOf(commitView)) return askAgain(commitView);
      try {
        const changed = await save(parsed.data, values.base);
        if (changed) return askAgain(changed);
        toast.success(TEXTS.saved);
        goOn(values, parsed.data);
      } catch (failure) {
        const [message] = Object.values(fieldErrorsOf(failure));
        if (message) refuse(message);
      }
    }),
  );
  return (
    <form
      noValidate
      aria-label={COMMIT_VIEW_TITLE}
      onSubmit={(event) => void submit(event)}
      onChange={() => draft.write(getValues())}
      className="grid gap-4 rounded-control bg-sunken p-4"
    >
      <Field label="The client sees of commits" hint={TEXTS.modeHint}>
        <Select {...register("mode")}>
          {COMMIT_MODES.map((one) => (
            <option key={one} value={one}>
              {COMMIT_MODE_LABELS[one]}
            </option>
          ))}
        </Select>
      </Field>
      {mode === "titles" && (
        <Field
          label="Words to mask"
          mark="optional"
          hint={TEXTS.maskedWordsHint}
          error={formState.errors.masked?.message}
        >
          <TextArea rows={3} {...register("masked")} />
        </Field>
      )}
      <Preview projectId={project.id} view={viewOf({ mode, masked })} />
      <Complaint className="[overflow-wrap:anywhere]">{formState.errors.root?.message}</Complaint>
      <FormButtons
        submit="Save"
        busyLabel="Saving..."
        busy={formState.isSubmitting}
        error={error}
        failed={PROJECT_MESSAGES.updateFailed}
        onCancel={onClose}
      />
    </form>
  );
}

/** Saves this choice alone, whatever else of the project has changed meanwhile. Where the choice itself has, returns that. */
function useSaveCommitView({ id: projectId, version }: Project) {
  const update = useUpdateProject();
  const reload = useReloadProject();
  const send = (commitView: CommitView, from: number) =>
    update.mutateAsync({ projectId, version: from, patch: { commitView } });
  return {
    error: update.error,
    async save(commitView: CommitView, base: string): Promise<CommitView | undefined> {
      try {
        await send(commitView, version);
      } catch (failure) {
        if (reasonOf(failure) !== "stale-version") throw failure;
        const fresh = await reload(projectId);
        if (fresh.commitView && baseOf(fresh.commitView) !== base) {
          update.reset();
          return fresh.commitView;
        }
        await send(commitView, fresh.version);
      }
    },
  };
}

const MAX_SHOWN = 5;

/** The newest commits that name a task, which the whole team sees, as the client would see them. */
function Preview({ projectId, view }: { projectId: string; view: CommitView }) {
  const id = useId();
  const { data: tasks = [] } = useTasks(projectId);
  const commits = newestOf(tasks.flatMap((task) => task.commits ?? []));
  const lines = commits.length === 0 || view.mode === "hidden" ? [] : linesOf(commits, view);
  return (
    <section aria-labelledby={id} className="rounded-control border border-line bg-raised p-3">
      <h4 id={id} className="font-medium font-sans text-dense tracking-normal">
        As the client sees it
      </h4>
      {lines.length === 0 ? (
        <p className="mt-1 text-dense text-ink2">{view.mode === "hidden" ? TEXTS.hidden : TEXTS.noPreview}</p>
      ) : (
        <ul className="mt-1 grid gap-1 text-dense text-ink2">
          {lines.map(({ key, text }) => (
            <li key={key} dir="auto" className="[overflow-wrap:anywhere]">
              {text}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function newestOf(commits: readonly TaskCommit[]): TaskCommit[] {
  const each = [...new Map(commits.map((commit) => [commit.sha, commit])).values()];
  return each.sort((one, other) => (one.date < other.date ? 1 : -1));
}

function linesOf(commits: TaskCommit[], { mode, maskedWords }: CommitView): { key: string; text: string }[] {
  if (mode === "titles") {
    const shown = maskTask({ commits }, maskedWords).commits ?? [];
    return shown.slice(0, MAX_SHOWN).map(({ sha, title }) => ({ key: sha, text: title }));
  }
  const days = new Map<string, number>();
  for (const { date } of commits) {
    const day = today(new Date(date));
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  return [...days]
    .slice(0, MAX_SHOWN)
    .map(([day, count]) => ({ key: day, text: `${formatDay(day)}: ${count === 1 ? "1 change" : `${count} changes`}` }));
}
