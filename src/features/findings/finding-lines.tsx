import type { FindingKind } from "@db/client-enums";
import { MAX_FINDINGS } from "@server/contract/messages/overview";
import type { Finding } from "@server/contract/views";
import { CalendarClock, GitCommitHorizontal, Hourglass, type LucideIcon, Unlink, Unplug } from "lucide-react";
import { useState } from "react";
import { PanelLink } from "@/features/projects/project-link";
import { formatInstantInText } from "@/lib/format";
import { useToday } from "@/lib/use-today";
import { Button } from "@/ui/button";
import { Moment } from "@/ui/moment";
import { describeFinding, hasMoment, subjectOf } from "./finding-text";

const SHOWN_FIRST = 6;

const ICONS: Record<FindingKind, LucideIcon> = {
  "no-commits": Hourglass,
  "commits-after-completion": GitCommitHorizontal,
  "due-soon": CalendarClock,
  "repository-dead": Unlink,
  "live-link-dead": Unplug,
};

type FindingLinesProps = {
  findings: readonly Finding[];
  /** Among what else there is of their one project: only tasks are named, and led to. */
  isWithinProject: boolean;
};

/** Of more than 500 the server names the newest. */
function describeRest(count: number): string {
  return count < MAX_FINDINGS ? `Show all ${count}` : `Show the newest ${MAX_FINDINGS}`;
}

/** One line each, which leads to the task or project; the first of many, and the others where they are asked for. */
export function FindingLines({ findings, isWithinProject }: FindingLinesProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? findings : findings.slice(0, SHOWN_FIRST);
  return (
    <>
      <ul className="overflow-clip rounded-card bg-raised shadow-1">
        {shown.map((finding) => (
          <Line
            key={`${finding.kind} ${finding.taskId ?? finding.projectId}`}
            finding={finding}
            isWithinProject={isWithinProject}
          />
        ))}
      </ul>
      {findings.length > SHOWN_FIRST && (
        <Button
          size="sm"
          variant="quiet"
          aria-expanded={isWhole}
          className="-ms-3 mt-1"
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? "Show fewer" : describeRest(findings.length)}
        </Button>
      )}
    </>
  );
}

function Line({ finding, isWithinProject }: { finding: Finding; isWithinProject: boolean }) {
  const today = useToday();
  const { title, subtitle, taskKey } = subjectOf(finding);
  const statement = describeFinding(finding, today);
  const isNamed = !isWithinProject || taskKey !== undefined;
  const Icon = ICONS[finding.kind];
  return (
    <li className="relative grid grid-cols-[18px_minmax(0,1fr)] items-start gap-x-3 border-line border-t px-4 py-2.5 transition-colors duration-90 ease-out first:border-t-0 hover:bg-hover">
      <Icon size={18} className="mt-0.5 text-ink3" />
      <div className="min-w-0">
        {isNamed && (
          <PanelLink
            projectId={finding.projectId}
            taskKey={taskKey}
            label={`${title}: ${statement}`}
            className="block truncate font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-ring focus-visible:after:-outline-offset-2"
          >
            <bdi>{title}</bdi>
          </PanelLink>
        )}
        <p className="text-dense [overflow-wrap:anywhere]">
          {statement}
          {hasMoment(finding) && (
            <>
              {", since "}
              <Moment at={finding.since} format={formatInstantInText} />
            </>
          )}
        </p>
        {!isWithinProject && (
          <p className="truncate text-ink2 text-meta">
            <bdi>{subtitle}</bdi>
          </p>
        )}
      </div>
    </li>
  );
}
