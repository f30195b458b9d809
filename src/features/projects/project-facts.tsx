import { GITHUB_MESSAGES } from "@server/contract/messages/github";
import { parseRepo } from "@server/contract/repo-name";
import type { Person, Project } from "@server/contract/views";
import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";
import { useIsDrawing } from "@/lib/drawing";
import { type CalendarDay, formatDate, formatDay } from "@/lib/format";
import { Avatar } from "@/ui/avatar";
import { GitHubMark } from "@/ui/github-mark";
import { peopleOf } from "./project-people";

/** A project's fields as terms and values, in two columns, or four where there is room. */
export function Facts({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return (
    <div className={cn("@container", className)}>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 @2xl:grid-cols-4">{children}</dl>
    </div>
  );
}

type FactProps = {
  label: string;
  /** For people and addresses: half the width, or the full width on a phone. */
  wide?: boolean | undefined;
  children: ReactNode;
};

/** One of the `Facts`. */
export function Fact({ label, wide = false, children }: FactProps) {
  return (
    <div className={cn("min-w-0", wide && "col-span-2 @md:col-span-1 @2xl:col-span-2")}>
      <dt className="text-ink3 text-meta">{label}</dt>
      <dd className="mt-1 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

/** A date, or "No due date". */
export function DayFact({ label, day }: { label: string; day: CalendarDay | null }) {
  return <Fact label={label}>{day ? <time dateTime={day}>{formatDay(day)}</time> : "No due date"}</Fact>;
}

/** The day of an instant where the reader is; in UTC until their browser has taken over what the server drew. */
export function CreatedFact({ at }: { at: string }) {
  const isDrawing = useIsDrawing();
  return (
    <Fact label="Created">
      <time dateTime={at}>{isDrawing ? formatDay(at.slice(0, 10)) : formatDate(at)}</time>
    </Fact>
  );
}

/** The project's links with their addresses, and a hint for one that brings no commits. A missing link is not shown. */
export function LinkFacts({
  project: { githubRepo, liveLink },
}: {
  project: Pick<Project, "githubRepo" | "liveLink">;
}) {
  return (
    <>
      {githubRepo && (
        <Fact label="GitHub link" wide>
          {parseRepo(githubRepo) ? (
            <OutLink href={githubRepo} icon={<GitHubMark />} />
          ) : (
            <>
              <OutLink href={githubRepo} icon={<Outward />} />
              <p className="mt-0.5 text-ink3 text-meta">{GITHUB_MESSAGES.notARepository}</p>
            </>
          )}
        </Fact>
      )}
      {liveLink && (
        <Fact label="Live link" wide>
          <OutLink href={liveLink} icon={<Outward />} />
        </Fact>
      )}
    </>
  );
}

/** People with avatars and names, or the empty message. */
export function PeopleFact({ label, people, empty }: { label: string; people: readonly Person[]; empty: string }) {
  return (
    <Fact label={label} wide>
      {people.length === 0 ? (
        <span className="text-ink2">{empty}</span>
      ) : (
        <ul className="flex flex-wrap gap-x-4 gap-y-2">
          {people.map(({ id, name, profileImgLink }) => (
            <li key={id} className="flex min-w-0 items-center gap-2">
              <Avatar name={name} src={profileImgLink} size={24} />
              <bdi className="min-w-0">{name}</bdi>
            </li>
          ))}
        </ul>
      )}
    </Fact>
  );
}

/** Further people of the client; nothing where there are none. */
export function ClientPeopleFact({ project }: { project: Pick<Project, "clientPeople" | "people"> }) {
  const people = peopleOf(project, project.clientPeople);
  return people.length > 0 && <PeopleFact label="Client people" people={people} empty="" />;
}

function Outward() {
  return <ExternalLink size={16} className="shrink-0" />;
}

/** The address without its scheme. */
function OutLink({ href, icon }: { href: string; icon: ReactNode }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex min-h-6 max-w-full items-center gap-1.5 text-brand-text underline decoration-transparent underline-offset-3 hover:decoration-current"
    >
      {icon}
      <span className="truncate">{href.replace(/^https?:\/\/(?:www\.)?/, "").replace(/\/$/, "")}</span>
    </a>
  );
}
