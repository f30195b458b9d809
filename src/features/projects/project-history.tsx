import type { Person, ProjectEvent } from "@server/contract/views";
import { ChevronRight, History } from "lucide-react";
import { useId, useState } from "react";
import { cn } from "@/lib/cn";
import { Avatar } from "@/ui/avatar";
import { EmptyState } from "@/ui/empty-state";
import { Moment } from "@/ui/moment";
import { PagedList } from "@/ui/paged-list";
import { Skeleton } from "@/ui/skeleton";
import { actorName, describeEvent } from "./describe-event";
import { useHistory } from "./use-history";

type ProjectHistoryProps = { projectId: string; className?: string | undefined };

/** "History" of a project: who did what, and when. Fetched when opened. */
export function ProjectHistory({ projectId, className }: ProjectHistoryProps) {
  const bodyId = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <section aria-label="History" className={className}>
      <h3 className="text-reading">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={() => setOpen(!isOpen)}
          className="-mx-2 flex h-11 items-center gap-1.5 rounded-control px-2 hover:bg-hover pointer-fine:h-9"
        >
          <ChevronRight
            size={18}
            className={cn("shrink-0 text-ink2 transition-[rotate] duration-140 ease-out", isOpen && "rotate-90")}
          />
          History
        </button>
      </h3>
      <div id={bodyId} hidden={!isOpen} className="pt-2">
        {isOpen && <Lines projectId={projectId} />}
      </div>
    </section>
  );
}

function Lines({ projectId }: { projectId: string }) {
  const history = useHistory({ projectId });
  return (
    <PagedList
      list={history}
      label="Loading history"
      skeleton={<LinesSkeleton />}
      empty={<EmptyState icon={History} message="No history yet" className="py-6" />}
      size="sm"
    >
      {(events) => (
        <ol className="grid gap-3">
          {events.map((event) => (
            <Line key={event.id} event={event} people={history.people} />
          ))}
        </ol>
      )}
    </PagedList>
  );
}

function Line({ event, people }: { event: ProjectEvent; people: readonly Person[] }) {
  const text = event.kind === "project.created" ? "created the project" : describeEvent(event, people);
  return (
    <li>
      <HistoryLine event={event} text={text} />
    </li>
  );
}

/** One event of a history; `text` follows the person's name. */
export function HistoryLine({ event, text }: { event: ProjectEvent; text: string }) {
  const name = actorName(event);
  return (
    <div className="flex items-start gap-2.5">
      <Avatar name={name} src={event.actor?.profileImgLink} size={24} className="-mt-px" />
      <p className="min-w-0 text-dense leading-5 text-ink2 [overflow-wrap:anywhere]">
        <bdi className="font-medium text-ink">{name}</bdi> {text}
        {" · "}
        <span className="text-ink3">
          <Moment at={event.at} />
        </span>
      </p>
    </div>
  );
}

const SKELETON_KEYS = ["first", "second", "third"];

function LinesSkeleton() {
  return (
    <div className="grid gap-3">
      {SKELETON_KEYS.map((key) => (
        <div key={key} className="flex h-6 items-center gap-2.5">
          <Skeleton className="size-6 shrink-0" />
          <Skeleton className="h-3.5 w-3/5" />
        </div>
      ))}
    </div>
  );
}
