import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import { TASK_MESSAGES } from "@server/contract/messages/tasks";
import type { Calendar } from "@server/contract/views";
import { keepPreviousData, type QueryKey, useMutation, useMutationState, useQueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { useEffect } from "react";
import { belongsTo } from "@/features/projects/project-cache";
import { useProjectCache } from "@/features/projects/use-projects";
import { putTask } from "@/features/tasks/task-cache";
import { type CalendarDay, formatDay } from "@/lib/format";
import { registerLiveSync } from "@/lib/live-sync";
import { holdReads, patchQueries, resumeReads } from "@/lib/query-updates";
import { trpc } from "@/lib/trpc";
import { fieldErrorsOf, messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";
import { type CalendarMonth, isMonthInReach, rangeOf, shiftMonth } from "./calendar-days";
import { type CalendarEntry, type DueMove, entriesOf, putDue, takeSteps, versionIn } from "./calendar-entries";

const MOVES = ["move-due"];

const CALENDARS = { queryKey: getQueryKey(trpc.projects.calendar) };
registerLiveSync("projects", {
  queries: [CALENDARS],
  receive({ project, ...change }, { utils, queryClient }) {
    const steps = change.steps ?? [change];
    const viewer = utils.auth.me.getData();
    if (!project || !viewer || steps.some(({ kind }) => kind === "resync" || kind === "people-changed")) {
      return [CALENDARS];
    }
    const isInvolved = belongsTo("mine", project, viewer);
    return patchQueries<Calendar>(queryClient, CALENDARS, (calendar, { queryKey }) =>
      takeSteps(calendar, { steps, project, isInvolved, viewerId: viewer.id, range: rangeIn(queryKey) }),
    );
  },
});

type Move = { entry: CalendarEntry; day: CalendarDay };

/**
 * The entries due in the weeks of a month, with pending moves applied. While another month loads, the days it shares with the
 * previous one stay. The page's `useProjectChanges` keeps it up to date.
 */
export function useCalendar(month: CalendarMonth) {
  const utils = trpc.useUtils();
  const query = trpc.projects.calendar.useQuery(rangeOf(month), { placeholderData: keepPreviousData });
  const moves = usePendingMoves();
  const isThere = query.isSuccess && !query.isPlaceholderData;
  useEffect(() => {
    if (!isThere) return;
    for (const near of [shiftMonth(month, 1), shiftMonth(month, -1)]) {
      if (isMonthInReach(near)) void utils.projects.calendar.prefetch(rangeOf(near));
    }
  }, [isThere, month, utils]);
  return { ...query, entries: query.data && entriesOf(query.data, moves) };
}

/**
 * Changes a due date. Optimistic: the entry moves at once and returns, with the server's message, when the change is refused.
 * Moves run one after the other, so that a second one sends the version that the first one made.
 */
export function useMoveDue(): (move: Move) => void {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const projects = useProjectCache();
  const calendars = useCalendarCache();
  const { mutate } = useMutation({
    mutationKey: MOVES,
    scope: { id: "move-due" },
    mutationFn: async ({ entry, day }: Move) => {
      const known = projects.find(entry.projectId);
      const version = Math.max(calendars.versionOf(entry), entry.kind === "project" ? (known?.version ?? 0) : 0);
      const { projects: ofProjects, tasks } = utils.client;
      const { id, kind } = entry;
      return kind === "project"
        ? { kind, saved: await ofProjects.update.mutate({ projectId: id, version, patch: { dueDate: day } }) }
        : { kind, saved: await tasks.update.mutate({ taskId: id, version, patch: { dueDate: day } }) };
    },
    onMutate: () => holdReads(queryClient, CALENDARS),
    onSuccess: (answer, { entry, day }) => {
      calendars.change((calendar) => putDue(calendar, answer));
      if (answer.kind === "project") projects.put(answer.saved);
      else utils.tasks.list.setData({ projectId: entry.projectId }, (tasks) => tasks && putTask(tasks, answer.saved));
      announce(`${entry.title}: now due on ${formatDay(day)}`);
    },
    onError: (error, { entry }) => {
      void utils.projects.calendar.invalidate();
      void utils.tasks.list.invalidate({ projectId: entry.projectId });
      const title = entry.kind === "project" ? PROJECT_MESSAGES.updateFailed : TASK_MESSAGES.updateFailed;
      toast.error(title, { description: fieldErrorsOf(error).dueDate ?? messageOf(error) });
    },
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey: MOVES }) <= 1) resumeReads(queryClient, CALENDARS);
    },
  });
  return ({ entry, day }) => {
    if (entry.due !== day) mutate({ entry, day });
  };
}

/** The days that a cached calendar was asked for. */
function rangeIn([, asked]: QueryKey): { from: CalendarDay; to: CalendarDay } {
  const { from, to } = Object(Object(asked).input);
  return { from: String(from), to: String(to) };
}

/** The moves that the server has not answered yet, oldest first. */
function usePendingMoves(): DueMove[] {
  const moves = useMutationState({
    filters: { mutationKey: MOVES, status: "pending" },
    select: ({ state }) => state.variables,
  });
  return moves.flatMap((move) => (isMove(move) ? [{ key: move.entry.key, day: move.day }] : []));
}

/** All cached months. */
function useCalendarCache() {
  const queryClient = useQueryClient();
  return {
    change: (apply: (calendar: Calendar) => Calendar) =>
      queryClient.setQueriesData<Calendar>(CALENDARS, (calendar) => calendar && apply(calendar)),
    versionOf: (entry: CalendarEntry) =>
      queryClient
        .getQueriesData<Calendar>(CALENDARS)
        .reduce((newest, [, calendar]) => Math.max(newest, (calendar && versionIn(calendar, entry)) ?? 0), 0),
  };
}

function isMove(move: unknown): move is Move {
  return typeof move === "object" && move !== null && "entry" in move && "day" in move;
}
