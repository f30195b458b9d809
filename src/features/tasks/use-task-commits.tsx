import type { Task, TaskCommit } from "@server/contract/views";
import { ChevronRight, GitCommitHorizontal } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { cn } from "@/lib/cn";
import { Moment } from "@/ui/moment";

/** The commits that name a task, collapsed to a count: a toggle button for the line under its title, and the list. */
export function useTaskCommits({ commits = [], title }: Pick<Task, "commits" | "title">): {
  toggle: ReactNode;
  list: ReactNode;
} {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  if (commits.length === 0) return { toggle: null, list: null };
  const label = commits.length === 1 ? "1 commit" : `${commits.length} commits`;
  return {
    toggle: (
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={`${label}, ${title}`}
        onClick={() => setOpen(!isOpen)}
        className="relative z-1 -mx-1 -my-1 inline-flex min-h-6 items-center gap-1 whitespace-nowrap rounded-check px-1 hover:text-ink pointer-coarse:-my-3 pointer-coarse:min-h-11"
      >
        <GitCommitHorizontal size={14} className="shrink-0" />
        {label}
        <ChevronRight size={14} className={cn("shrink-0 text-ink3", isOpen && "rotate-90")} />
      </button>
    ),
    list: isOpen && (
      <ul id={id} aria-label={`Commits, ${title}`} className="mt-2 border-line border-s-2 ps-3">
        {commits.map((commit) => (
          <CommitLine key={commit.sha} commit={commit} />
        ))}
      </ul>
    ),
  };
}

/** The commits that name a task, on its page, and the offer to complete it. */
export function TaskCommits({ task: { commits = [] }, children }: { task: Task; children?: ReactNode }) {
  const id = useId();
  if (commits.length === 0) return null;
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h3 id={id} className="mb-1.5 font-medium font-sans text-dense text-ink2 tracking-normal">
        Commits
      </h3>
      <ul className="border-brand border-s-2 ps-3">
        {commits.map((commit) => (
          <CommitLine key={commit.sha} commit={commit} />
        ))}
      </ul>
      {children}
    </section>
  );
}

function CommitLine({ commit: { title, htmlUrl, authorName, date } }: { commit: TaskCommit }) {
  return (
    <li className="py-1 text-dense first:pt-0 last:pb-0">
      {htmlUrl === null ? (
        <span dir="auto" className="inline-block py-0.5 [overflow-wrap:anywhere]">
          {title}
        </span>
      ) : (
        <a
          href={htmlUrl}
          target="_blank"
          rel="noopener noreferrer"
          dir="auto"
          className="inline-block py-0.5 text-brand-text underline decoration-transparent underline-offset-3 [overflow-wrap:anywhere] hover:decoration-current"
        >
          {title}
          <span className="sr-only"> on GitHub</span>
        </a>
      )}
      <p className="text-ink2 text-meta [overflow-wrap:anywhere]">
        <bdi>{authorName}</bdi>
        {" · "}
        <Moment at={date} />
      </p>
    </li>
  );
}
