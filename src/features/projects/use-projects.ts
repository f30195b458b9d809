import type { ProjectStatus } from "@db/enums";
import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { Project, ProjectPage } from "@server/contract/views";
import {
  matchQuery,
  type Query,
  type QueryClient,
  skipToken,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { useMemo } from "react";
import { type LiveCache, registerLiveSync, useLiveSync } from "@/lib/live-sync";
import { clientListQuery, projectListQuery } from "@/lib/project-list";
import { copiedAt, holdReads, patchQueries, resumeReads } from "@/lib/query-updates";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";
import { dropProject, inputOf, newerOf, type ProjectScope, putProject, settleIn, settleProject } from "./project-cache";
import { statusMeta } from "./project-status";

const SCOPES = ["mine", "all"] as const;
/** The mutation scope in which moves between statuses run one after the other. */
const MOVING = "move-project";

/**
 * All projects of a scope, newest first: those the signed-in person takes part in, or for admins all, or those of a client as that
 * client sees them.
 */
export function useProjects({
  scope,
  asClientId,
  enabled = true,
}: {
  scope: ProjectScope;
  asClientId?: string | undefined;
  enabled?: boolean;
}) {
  const { client } = trpc.useUtils();
  const query = asClientId === undefined ? projectListQuery(client, scope) : clientListQuery(client, asClientId);
  return useQuery<ProjectPage>({ ...query, enabled });
}

/**
 * One project, immediately when a cached list holds it; for admins optionally as that client sees it. NOT_FOUND when it does not
 * exist or is not visible.
 */
export function useProject(projectId: string | undefined, { asClientId }: { asClientId?: string | undefined } = {}) {
  const { find } = useProjectCache();
  const queryClient = useQueryClient();
  const isOwn = asClientId === undefined;
  return trpc.projects.byId.useQuery(
    projectId === undefined ? skipToken : isOwn ? { projectId } : { projectId, asClientId },
    {
      initialData: () => (projectId !== undefined && isOwn ? find(projectId) : undefined),
      initialDataUpdatedAt: () => copiedAt(queryClient, BOARDS),
    },
  );
}

/** Not optimistic: the form stays open until the server has saved the project. */
export function useCreateProject() {
  const cache = useProjectCache();
  return trpc.projects.create.useMutation({ onSuccess: cache.put });
}

/** Not optimistic. An edit of an older version is a CONFLICT: `useReloadProject` fetches the current one. */
export function useUpdateProject() {
  const cache = useProjectCache();
  return trpc.projects.update.useMutation({ onSuccess: cache.put });
}

/** Fetches a project from the server and updates the cache. */
export function useReloadProject(): (projectId: string) => Promise<Project> {
  const utils = trpc.useUtils();
  const cache = useProjectCache();
  return async (projectId) => {
    const project = await utils.projects.byId.fetch({ projectId }, { staleTime: 0 });
    cache.put(project);
    return project;
  };
}

/** For admins. Deletes the project with all its tasks. */
export function useDeleteProject() {
  const cache = useProjectCache();
  return trpc.projects.delete.useMutation({ onSuccess: ({ id }) => cache.drop(id) });
}

/**
 * Optimistic: the project changes its status at once and is rolled back when the server refuses. Moves run one after the other, so
 * that a second one sends the version that the first one made.
 */
export function useMoveProject() {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const cache = useProjectCache();
  return useMutation({
    scope: { id: MOVING },
    mutationFn: ({ project, status }: { project: Project; status: ProjectStatus }) =>
      utils.client.projects.update.mutate({
        projectId: project.id,
        version: cache.find(project.id)?.version ?? project.version,
        patch: { status },
      }),
    onMutate: ({ project, status }) => {
      holdReads(queryClient, LIST);
      cache.patch(project.id, (known) => ({ ...known, status }));
    },
    onSuccess: (project) => {
      cache.put(project);
      toast.success(PROJECT_MESSAGES.updated);
      announce(`${project.title}: moved to ${statusMeta(project.status).label}`);
    },
    onError: async (error, { project }) => {
      cache.patch(project.id, (known) => ({ ...known, status: project.status }));
      toast.error(PROJECT_MESSAGES.updateFailed, { description: messageOf(error) });
      await utils.projects.byId.invalidate({ projectId: project.id }, { refetchType: "all" });
      await utils.projects.list.invalidate();
    },
    onSettled: () => {
      if (movesOf(queryClient) <= 1) resumeReads(queryClient, LIST);
    },
  });
}

const LIST = { queryKey: getQueryKey(trpc.projects.list) };
const isSearch = ({ meta }: Query) => meta?.isSearch === true;
const BOARDS = { ...LIST, predicate: (query: Query) => !isSearch(query) };

registerLiveSync("projects", {
  queries: [LIST, { queryKey: getQueryKey(trpc.projects.byId) }],
  receive({ projectId, project, ...change }, live) {
    const { queryClient } = live;
    const isWordless = (change.steps ?? [change]).every(
      ({ kind }) => kind === "task-moved" || kind === "task-completed",
    );
    // The server alone knows what it finds.
    const searches = isWordless ? [] : [{ ...LIST, predicate: isSearch }];
    const boards = patchQueries<ProjectPage>(queryClient, BOARDS, (page, { queryKey }) =>
      settleIn(page, { projectId, project, input: inputOf(queryKey), me: live.utils.auth.me.getData() }),
    );
    if (!project) {
      projectCache(live).drop(projectId);
      return [...searches, ...boards];
    }
    const known = patchQueries<Project>(
      queryClient,
      { queryKey: getQueryKey(trpc.projects.byId, { projectId }) },
      (read, { queryKey }) =>
        inputOf(queryKey).asClientId === undefined ? newerOf(read, { ...project, canEdit: read.canEdit }) : null,
    );
    return [...searches, ...boards, ...known];
  },
  // A card that is being moved would jump back for a moment.
  isAhead: (query, { queryClient }) => matchQuery(LIST, query) && movesOf(queryClient) > 0,
});

function movesOf(queryClient: QueryClient): number {
  return queryClient.isMutating({ predicate: ({ options }) => options.scope?.id === MOVING });
}

/** Subscribes to changes of all projects that the signed-in person may see, while the calling page is open. */
export function useProjectChanges(): void {
  useLiveSync("projects");
}

/** Updates every cached list and row of a project. For the hooks of projects and tasks. */
export function useProjectCache() {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  return useMemo(() => projectCache({ utils, queryClient }), [utils, queryClient]);
}

/** The same outside React. */
export function projectCache({ utils, queryClient }: LiveCache) {
  const { list, byId } = utils.projects;

  function find(id: string): Project | undefined {
    const listed = SCOPES.map((scope) => list.getData({ scope })?.items.find((project) => project.id === id));
    return [byId.getData({ projectId: id }), ...listed].reduce((known, read) =>
      known && read ? newerOf(known, read) : (known ?? read),
    );
  }

  /** By what its tasks' keys begin with. */
  function findByKey(key: string): Project | undefined {
    const listed = SCOPES.flatMap((scope) => list.getData({ scope })?.items ?? []);
    return listed.find((project) => project.key === key);
  }

  function inLists(change: (page: ProjectPage, scope: ProjectScope) => ProjectPage): void {
    for (const scope of SCOPES) list.setData({ scope }, (page) => page && change(page, scope));
  }

  /** Stores a row from the server: replaces or inserts it, or removes it from lists it no longer belongs to. */
  function put(project: Project): void {
    const viewer = utils.auth.me.getData();
    if (viewer) inLists((page, scope) => settleProject(page, { project, scope, viewer }));
    byId.setData({ projectId: project.id }, (known) => known && newerOf(known, project));
  }

  /** An optimistic change. */
  function patch(id: string, change: (project: Project) => Project): void {
    const known = find(id);
    if (!known) return;
    inLists((page) => (page.items.some((project) => project.id === id) ? putProject(page, change(known)) : page));
    byId.setData({ projectId: id }, (cached) => cached && change(cached));
  }

  /** Removes a project that is deleted or no longer visible. A page that shows it asks again and gets NOT_FOUND. */
  function drop(id: string): void {
    inLists((page) => dropProject(page, id));
    queryClient.removeQueries({
      queryKey: getQueryKey(trpc.projects.byId, { projectId: id }, "query"),
      type: "inactive",
    });
    void byId.reset({ projectId: id });
  }

  return { find, findByKey, put, patch, drop };
}
