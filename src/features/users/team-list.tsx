import type { Me, TeamMember } from "@server/contract/views";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { ToProject } from "@/features/projects/to-project";
import { useMedia } from "@/lib/use-media";
import { Avatar } from "@/ui/avatar";
import { cardStyle } from "@/ui/card-style";
import { Cell, DataTable, HeadCell } from "@/ui/data-table";
import { Skeleton } from "@/ui/skeleton";

type TeamListProps = { people: readonly TeamMember[]; caption: string; me: Me; link: ToProject };

const ROLES: Record<TeamMember["accountType"], string> = { user: "User", admin: "Admin", client: "Client" };
const COLUMNS = "minmax(0,5fr) 112px minmax(0,6fr) minmax(0,8fr)";
const WIDE = "(width >= 64rem)";
/** From this many people on, those out of view are not rendered. */
const MANY = 100;
const MAX_PROJECTS = 3;
/** Usual heights without the padding: projects take two lines. */
const SKIPPED = {
  row: "[content-visibility:auto] [contain-intrinsic-height:auto_69px]",
  card: "[content-visibility:auto] [contain-intrinsic-height:auto_173px] sm:[contain-intrinsic-height:auto_137px]",
};

/** People with their projects: a table, or cards where there is no room. */
export function TeamList(props: TeamListProps) {
  return useMedia(WIDE) ? <TeamTable {...props} /> : <TeamCards {...props} />;
}

function TeamCards({ people, caption, me, link }: TeamListProps) {
  const style = people.length > MANY ? SKIPPED.card : "";
  return (
    <ul aria-label={caption} className="grid gap-3 sm:grid-cols-2">
      {people.map((person) => (
        <li key={person.id} className={`${cardStyle()} ${style}`}>
          <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3">
            <Avatar name={person.name} src={person.profileImgLink} size={36} className="row-span-2 self-start" />
            <Name person={person} isOwn={person.id === me.id} />
            <span className="text-dense text-ink2">{ROLES[person.accountType]}</span>
            <Email person={person} className="col-span-2" />
          </div>
          <div className="mt-3">
            <Projects person={person} me={me} link={link} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function TeamTable({ people, caption, me, link }: TeamListProps) {
  const style = people.length > MANY ? SKIPPED.row : undefined;
  return (
    <DataTable
      caption={caption}
      columns={COLUMNS}
      head={
        <>
          <HeadCell>Name</HeadCell>
          <HeadCell>Account Type</HeadCell>
          <HeadCell>Email</HeadCell>
          <HeadCell>Projects</HeadCell>
        </>
      }
    >
      {people.map((person) => (
        <tr key={person.id} className={style}>
          <Cell heading>
            <span className="flex min-w-0 items-center gap-2.5">
              <Avatar name={person.name} src={person.profileImgLink} />
              <Name person={person} isOwn={person.id === me.id} />
            </span>
          </Cell>
          <Cell className="text-ink2">{ROLES[person.accountType]}</Cell>
          <Cell>
            <Email person={person} />
          </Cell>
          <Cell>
            <Projects person={person} me={me} link={link} />
          </Cell>
        </tr>
      ))}
    </DataTable>
  );
}

function Name({ person: { name }, isOwn }: { person: TeamMember; isOwn: boolean }) {
  return (
    <span className="min-w-0 font-medium [overflow-wrap:anywhere]">
      {name}
      {isOwn && <span className="font-normal text-ink3"> (you)</span>}
    </span>
  );
}

function Email({ person: { email }, className = "" }: { person: TeamMember; className?: string }) {
  if (!email) return null;
  return (
    <a
      href={`mailto:${email}`}
      className={`inline-flex min-h-6 w-fit min-w-0 items-center text-dense text-ink2 [overflow-wrap:anywhere] hover:text-ink hover:underline ${className}`}
    >
      {email}
    </a>
  );
}

type ProjectsProps = Pick<TeamListProps, "me" | "link"> & { person: TeamMember };

/** The first three; the others behind "+4 more". */
function Projects({ person: { id, name, projects }, me, link: Link }: ProjectsProps) {
  const [isOpen, setOpen] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const hidden = projects.length - MAX_PROJECTS;
  if (projects.length === 0) {
    // Does not reveal whether the person has other projects.
    const seesAll = id === me.id || me.accountType === "admin";
    return <span className="text-dense text-ink3">{seesAll ? "No projects" : "None shared with you"}</span>;
  }

  function toggle(): void {
    // Render the list before the focus moves to the first new row.
    flushSync(() => setOpen(!isOpen));
    if (!isOpen) list.current?.querySelectorAll("a")[MAX_PROJECTS]?.focus();
  }
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-1 text-dense">
      <ul ref={list} aria-label={`Projects of ${name}`} className="contents">
        {projects.slice(0, isOpen ? undefined : MAX_PROJECTS).map(({ id, title }) => (
          <li key={id} className="flex min-w-0 max-w-full">
            <Link
              projectId={id}
              className="inline-flex min-h-6 min-w-0 items-center rounded-control border border-line px-2 py-0.5 text-ink2 hover:bg-hover hover:text-ink pointer-coarse:min-h-9"
            >
              <span className="truncate">{title}</span>
            </Link>
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={isOpen ? `Fewer projects of ${name}` : `+${hidden} more projects of ${name}`}
          onClick={toggle}
          className="min-h-6 rounded-control px-2 py-0.5 text-brand-text hover:bg-hover pointer-coarse:min-h-9"
        >
          {isOpen ? "Fewer" : `+${hidden} more`}
        </button>
      )}
    </div>
  );
}

const SKELETON_ROWS = ["first", "second", "third", "fourth", "fifth", "sixth"];

/** As many rows as fit on a first screen. */
export function TeamSkeleton() {
  const isWide = useMedia(WIDE);
  if (isWide) {
    return (
      <div className="overflow-hidden rounded-card border border-line bg-raised">
        <div className="h-10 border-line border-b bg-sunken" />
        {SKELETON_ROWS.map((row) => (
          <div key={row} className="flex h-[53px] items-center gap-3 border-line border-b px-3 last:border-b-0">
            <Skeleton className="size-7 shrink-0" />
            <Skeleton className="h-4 w-1/6" />
            <Skeleton className="ms-auto h-4 w-1/3" />
          </div>
        ))}
      </div>
    );
  }
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {SKELETON_ROWS.map((row) => (
        <div key={row} className={`${cardStyle()} h-[114px]`}>
          <Skeleton className="h-4 w-1/2" />
          <Skeleton className="mt-2 h-3.5 w-2/3" />
          <Skeleton className="mt-4 h-6 w-3/4" />
        </div>
      ))}
    </div>
  );
}
