import { describeProblem, GITHUB_MESSAGES } from "@server/contract/messages/github";
import type { RepositoryProblem, SkippedLink } from "@server/contract/views";
import { ChevronRight, type LucideIcon, TriangleAlert, Unlink } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/ui/button";
import { countWords } from "./commit-words";

/** What another link may mend; the others are GitHub's own, and pass. */
const MENDED_BY_LINK: ReadonlySet<RepositoryProblem["kind"]> = new Set(["not-found", "auth"]);

type ProblemsNoticeProps = {
  problems: readonly RepositoryProblem[];
  /** For those who can mend it: of which project, and the way to its form. */
  mending?: Mending | undefined;
  /** What else helps, such as the way to the token. */
  children?: ReactNode;
};

/** How a reader who may edit projects comes to the one whose link does not work. */
export interface Mending {
  titleOf: (projectId: string) => string | undefined;
  edit: (projectId: string) => void;
}

/** Which repositories could not be read, and why, one by one. Folded: the rest is shown all the same. */
export function ProblemsNotice({ problems, mending, children }: ProblemsNoticeProps) {
  if (problems.length === 0) return null;
  const count = new Set(problems.map(({ repo }) => repo.toLowerCase())).size;
  return (
    <Notice
      icon={TriangleAlert}
      tone="text-orange"
      summary={`${countWords(count, "repository", "repositories")} could not be read`}
    >
      <ul>
        {distinct(problems, mending !== undefined).map((problem) => (
          <Line
            key={`${problem.projectId} ${problem.repo}`}
            title={mending?.titleOf(problem.projectId)}
            place={problem.repo}
            words={describeProblem(problem)}
            onEdit={mending && MENDED_BY_LINK.has(problem.kind) ? () => mending.edit(problem.projectId) : undefined}
          />
        ))}
      </ul>
      {children}
    </Notice>
  );
}

type SkippedNoticeProps = { skipped: readonly SkippedLink[]; onEdit: (projectId: string) => void };

/** Projects whose link is no repository on GitHub: nothing is read for them until it is mended. */
export function SkippedNotice({ skipped, onEdit }: SkippedNoticeProps) {
  if (skipped.length === 0) return null;
  return (
    <Notice
      icon={Unlink}
      tone="text-ink3"
      summary={`${countWords(skipped.length, "project")} without a repository to read`}
    >
      <ul>
        {skipped.map(({ project, link }) => (
          <Line
            key={project.id}
            title={project.title}
            place={link}
            words={GITHUB_MESSAGES.notARepository}
            onEdit={() => onEdit(project.id)}
          />
        ))}
      </ul>
    </Notice>
  );
}

type NoticeProps = { icon: LucideIcon; tone: string; summary: string; children: ReactNode };

function Notice({ icon: Icon, tone, summary, children }: NoticeProps) {
  return (
    <details className="group/notice mb-3 rounded-card border border-line bg-raised">
      <summary className="flex min-h-11 list-none items-center gap-2.5 rounded-card px-3.5 font-medium text-dense pointer-fine:min-h-10 [&::-webkit-details-marker]:hidden">
        <Icon aria-hidden="true" size={16} strokeWidth={1.75} className={`shrink-0 ${tone}`} />
        {summary}
        <ChevronRight
          aria-hidden="true"
          size={16}
          strokeWidth={1.75}
          className="ms-auto shrink-0 text-ink3 group-open/notice:rotate-90"
        />
      </summary>
      <div className="px-3.5 pb-1">{children}</div>
    </details>
  );
}

type LineProps = {
  title: string | undefined;
  /** The repository, or the link that names none. */
  place: string;
  words: string;
  onEdit: (() => void) | undefined;
};

function Line({ title, place, words, onEdit }: LineProps) {
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
          <code className="text-ink2">{place}</code>
        </p>
        <p className="mt-0.5 text-ink2">{words}</p>
      </div>
      {onEdit && (
        <Button size="sm" aria-label={`Edit Project, ${title ?? place}`} onClick={onEdit}>
          Edit Project
        </Button>
      )}
    </li>
  );
}

/** For readers who cannot tell projects apart here, a repository of two projects stands once. */
function distinct(problems: readonly RepositoryProblem[], byProject: boolean): RepositoryProblem[] {
  const known = new Map<string, RepositoryProblem>();
  for (const problem of problems)
    known.set(`${byProject ? problem.projectId : ""} ${problem.repo.toLowerCase()}`, problem);
  return [...known.values()];
}
