import type { Commit } from "@server/contract/views";
import { ArrowUpRight } from "lucide-react";
import { Children, Fragment, type ReactElement, type ReactNode, useId, useState } from "react";
import { statusMeta } from "@/features/projects/project-status";
import type { ToProject } from "@/features/projects/to-project";
import { cn } from "@/lib/cn";
import { type CalendarDay, formatInstantLong, formatTime } from "@/lib/format";
import { Skeleton } from "@/ui/skeleton";
import { VisuallyHidden } from "@/ui/visually-hidden";
import { authorOf, cutTitle, formatCommitDate, partsOf } from "./commit-text";

type CommitMessageProps = {
  message: string;
  /** "cut" shortens the title to 70 letters until the user expands the message, and is quieter: something else is the heading. */
  title: "whole" | "cut";
  /** Shown with the full message. */
  details?: ReactNode;
  /** Beside the button. */
  facts?: ReactNode;
};

/** The title, with a button that shows the full message. */
export function CommitMessage({ message, title: how, details, facts }: CommitMessageProps) {
  const id = useId();
  const [isWhole, setWhole] = useState(false);
  const { title, body } = partsOf(message);
  const short = how === "cut" ? cutTitle(title) : title;
  const verb = isWhole ? "Hide" : "Show";
  return (
    <div id={id} className="min-w-0 [overflow-wrap:anywhere]">
      <p
        dir="auto"
        className={
          how === "cut" ? "text-dense" : "font-medium text-reading leading-[22px] sm:text-body sm:leading-[21px]"
        }
      >
        {isWhole ? title : short}
      </p>
      {isWhole && body && (
        <p dir="auto" className="mt-1 max-w-[90ch] whitespace-pre-line text-dense text-ink2">
          {body}
        </p>
      )}
      {isWhole && details}
      <div className="flex flex-wrap items-center gap-x-3">
        {facts}
        {(short !== title || body || details) && (
          <button
            type="button"
            aria-expanded={isWhole}
            aria-controls={id}
            aria-label={`${verb} full message, ${short}`}
            onClick={() => setWhole(!isWhole)}
            className="-ms-1 inline-flex min-h-6 items-center rounded-check px-1 text-dense text-ink2 underline decoration-line-strong underline-offset-3 hover:text-ink pointer-coarse:min-h-9"
          >
            {verb} full message
          </button>
        )}
      </div>
    </div>
  );
}

type CommitFactsProps = {
  commit: Commit;
  /** Today, for the date. */
  now: CalendarDay;
  /** Makes the project a link. */
  toProject?: ToProject | undefined;
};

/** Project, repository, author and date: the same for admins and clients. */
export function CommitFacts({ commit, now, toProject: ToProject }: CommitFactsProps) {
  const { project, repo } = commit;
  const { date } = commit.commit.author;
  const title = <bdi>{project.title}</bdi>;
  return (
    <DottedLine>
      {ToProject ? (
        <ToProject projectId={project.id} className={cn("font-medium", LINK)}>
          {title}
        </ToProject>
      ) : (
        <span className="font-medium">{title}</span>
      )}
      <code>{repo}</code>
      <bdi>{authorOf(commit)}</bdi>
      <time dateTime={date} title={formatInstantLong(date)}>
        {formatCommitDate(date, now)}
      </time>
    </DottedLine>
  );
}

const LINK = "underline decoration-line-strong underline-offset-3 hover:text-ink hover:decoration-current";

/** Author and time, where repository and project are said already. */
export function CommitAuthor({ commit }: { commit: Commit }) {
  const { date } = commit.commit.author;
  return (
    <DottedLine>
      <bdi>{authorOf(commit)}</bdi>
      <time dateTime={date} title={formatInstantLong(date)}>
        {formatTime(date)}
      </time>
    </DottedLine>
  );
}

/** No line starts with a dot, and a fact wraps only when it is longer than a line. */
export function DottedLine({ children }: { children: (ReactElement | false | null | undefined)[] }) {
  const facts = Children.toArray(children);
  return (
    <p className="mt-0.5 text-dense text-ink2 [overflow-wrap:anywhere]">
      {facts.map((fact, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the facts of a line keep their order.
        <Fragment key={at}>
          {at > 0 && " "}
          <span className="inline-block max-w-full">
            {fact}
            {at < facts.length - 1 && " ·"}
          </span>
        </Fragment>
      ))}
    </p>
  );
}

type CommitTasksProps = Pick<CommitFactsProps, "commit" | "toProject">;

/** The tasks that a message mentions, with key and completion. */
export function CommitTasks({ commit: { tasks, project }, toProject: ToProject }: CommitTasksProps) {
  if (tasks.length === 0) return null;
  return (
    <ul aria-label="Tasks" className="flex flex-wrap gap-x-4 text-dense text-ink2">
      {tasks.map(({ id, number, title, completed }) => {
        const { icon: Icon } = statusMeta(completed ? "completed" : "todo");
        const label = (
          <>
            <span className="text-ink3">{`${project.key}-${number}`}</span> <bdi>{title}</bdi>
          </>
        );
        return (
          <li key={id} className="flex min-w-0 items-start gap-1.5">
            <Icon size={14} className={cn("mt-[5px] shrink-0", completed ? "text-blue" : "text-ink3")} />
            <span className="min-w-0 py-[3px] [overflow-wrap:anywhere]">
              <VisuallyHidden>{completed ? "Completed: " : "Open: "}</VisuallyHidden>
              {ToProject ? (
                <ToProject
                  projectId={project.id}
                  taskKey={`${project.key}-${number}`}
                  className={cn("-my-[3px] inline-block py-[3px]", LINK)}
                >
                  {label}
                </ToProject>
              ) : (
                label
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

type CommitLinkProps = { commit: Pick<Commit, "html_url" | "commit">; className?: string | undefined };

/** "View on GitHub", in a new tab; nothing where the page would show what is masked. */
export function CommitLink({ commit: { html_url, commit }, className }: CommitLinkProps) {
  if (html_url === null) return null;
  return (
    <a
      href={html_url}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={`View on GitHub, ${cutTitle(partsOf(commit.message).title)}`}
      className={cn(
        "inline-flex min-h-6 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-check text-brand-text text-dense underline decoration-transparent underline-offset-3 hover:decoration-current pointer-coarse:min-h-9",
        className,
      )}
    >
      View on GitHub
      <ArrowUpRight size={16} className="shrink-0" />
    </a>
  );
}

type CommitSkeletonsProps = {
  count: number;
  /** The height of a commit with a one-line title, and borders. */
  className: string;
};

/** Placeholders for commits: avatar, title and one line below it. */
export function CommitSkeletons({ count, className }: CommitSkeletonsProps) {
  return Array.from({ length: count }, (_, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical and never reordered.
    <div key={at} className={cn("flex gap-3.5", className)}>
      <Skeleton className="size-[34px] shrink-0 rounded-avatar" />
      <div className="flex-1">
        <Skeleton className="mt-0.5 h-4 w-2/5" />
        <Skeleton className="mt-2 h-3.5 w-1/3" />
      </div>
    </div>
  ));
}
