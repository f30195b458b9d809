import { MASK } from "@server/contract/masking";
import { GITHUB_MESSAGES } from "@server/contract/messages/github";
import type { RepositoryProblem, SkippedLink } from "@server/contract/views";
import { ChevronRight, type LucideIcon, TriangleAlert, Unlink } from "lucide-react";
import type { ReactNode } from "react";
import { plural } from "@/lib/format";
import { rowAction, rowMark } from "@/lib/use-row-focus";
import { Button } from "@/ui/button";

/** Problems that another link may fix; the others pass by themselves. */
const FIXED_BY_LINK: ReadonlySet<RepositoryProblem["kind"]> = new Set(["not-found", "auth"]);

type ProblemsNoticeProps = {
  problems: readonly RepositoryProblem[];
  /** For readers who can edit projects. */
  mending?: Mending | undefined;
  /** Further help, such as a link to the token. */
  children?: ReactNode;
};

/** Names a project and opens its form, to fix a link that does not work. */
export interface Mending {
  titleOf: (projectId: string) => string | undefined;
  edit: (projectId: string) => void;
}

/** Repositories that could not be read, and why. Collapsed, as the other commits are shown anyway. */
export function ProblemsNotice({ problems, mending, children }: ProblemsNoticeProps) {
  if (problems.length === 0) return null;
  const count = new Set(problems.map(keyOf)).size;
  return (
    <Notice
      id="problems"
      icon={TriangleAlert}
      tone="text-orange"
      summary={`${plural(count, "repository", "repositories")} could not be read`}
    >
      <ul>
        {distinct(problems, mending !== undefined).map((problem) => (
          <Line
            key={`${problem.projectId} ${problem.repo}`}
            title={mending?.titleOf(problem.projectId)}
            link={problem.repo}
            description={describeProblem(problem)}
            onEdit={mending && FIXED_BY_LINK.has(problem.kind) ? () => mending.edit(problem.projectId) : undefined}
          />
        ))}
      </ul>
      {children}
    </Notice>
  );
}

type SkippedNoticeProps = { skipped: readonly SkippedLink[]; onEdit: (projectId: string) => void };

/** Projects whose link is not a GitHub repository. */
export function SkippedNotice({ skipped, onEdit }: SkippedNoticeProps) {
  if (skipped.length === 0) return null;
  return (
    <Notice
      id="skipped"
      icon={Unlink}
      tone="text-ink3"
      summary={plural(
        skipped.length,
        "project link is not a GitHub repository",
        "project links are not GitHub repositories",
      )}
    >
      <ul>
        {skipped.map(({ project, link }) => (
          <Line
            key={project.id}
            title={project.title}
            link={link}
            description={GITHUB_MESSAGES.notARepository}
            onEdit={() => onEdit(project.id)}
          />
        ))}
      </ul>
    </Notice>
  );
}

type NoticeProps = { id: string; icon: LucideIcon; tone: string; summary: string; children: ReactNode };

function Notice({ id, icon: Icon, tone, summary, children }: NoticeProps) {
  return (
    <details {...rowMark(id)} className="group/notice mb-3 rounded-card border border-line bg-raised">
      <summary
        {...rowAction}
        className="flex min-h-11 list-none items-center gap-2.5 rounded-card px-3.5 font-medium text-dense pointer-fine:min-h-10 [&::-webkit-details-marker]:hidden"
      >
        <Icon size={16} className={`shrink-0 ${tone}`} />
        {summary}
        <ChevronRight size={16} className="ms-auto shrink-0 text-ink3 group-open/notice:rotate-90" />
      </summary>
      <div className="px-3.5 pb-1">{children}</div>
    </details>
  );
}

type LineProps = {
  title: string | undefined;
  /** The repository, or the link that is not one. */
  link: string;
  description: string;
  onEdit: (() => void) | undefined;
};

function Line({ title, link, description, onEdit }: LineProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t py-2.5">
      <div className="min-w-0 flex-1 basis-60 text-dense">
        <p className="[overflow-wrap:anywhere]">
          {title !== undefined && (
            <>
              <bdi className="font-medium">{title}</bdi>
              {" · "}
            </>
          )}
          <code className="text-ink2">{link}</code>
        </p>
        <p className="mt-0.5 text-ink2">{description}</p>
      </div>
      {onEdit && (
        <Button size="sm" aria-label={`Edit Project, ${title ?? link}`} onClick={onEdit}>
          Edit Project
        </Button>
      )}
    </li>
  );
}

/** Without project titles, a repository of two projects is listed once. */
function distinct(problems: readonly RepositoryProblem[], byProject: boolean): RepositoryProblem[] {
  const known = new Map<string, RepositoryProblem>();
  for (const problem of problems) known.set(`${byProject ? problem.projectId : ""} ${keyOf(problem)}`, problem);
  return [...known.values()];
}

/** Repositories whose names are not shown are told apart by their projects. */
function keyOf({ repo, projectId }: RepositoryProblem): string {
  return repo === MASK ? projectId : repo.toLowerCase();
}

function describeProblem({ kind, status }: RepositoryProblem): string {
  switch (kind) {
    case "not-found":
      return GITHUB_MESSAGES.repositoryNotFound;
    case "auth":
      return GITHUB_MESSAGES.authenticationFailed;
    case "rate-limit":
      return GITHUB_MESSAGES.rateLimited;
    case "other":
      if (status === 200) return GITHUB_MESSAGES.unreadable;
      return status === null ? GITHUB_MESSAGES.noAnswer : GITHUB_MESSAGES.failedWith(status);
  }
}
