import type { LiveLinkPulse, Project } from "@server/contract/views";
import { useId, useState } from "react";
import { formatInstantInText, formatInstantLong } from "@/lib/format";
import { Button } from "@/ui/button";
import { Chip } from "@/ui/chip";
import { Moment } from "@/ui/moment";
import { FindingSection } from "./finding-section";
import { describeCheck, PULSE_META } from "./finding-text";
import { useFindings, usePulse } from "./use-findings";

/** What may be worth a look in a project, and whether its live link answers: for its managers and admins. */
export function ProjectFindings({ project }: { project: Pick<Project, "id" | "liveLink"> }) {
  const findings = useFindings({ projectId: project.id });
  const pulse = usePulse(project.id);
  return (
    <div className="grid gap-5">
      <FindingSection query={findings} isWithinProject />
      {project.liveLink !== null && pulse.data && <Pulse pulse={pulse.data} />}
    </div>
  );
}

function Pulse({ pulse: { state, since, lastCheckedAt, checks } }: { pulse: LiveLinkPulse }) {
  const headingId = useId();
  const [isOpen, setOpen] = useState(false);
  const [last] = checks;
  return (
    <section aria-labelledby={headingId} className="grid gap-2">
      <h3 id={headingId} className="text-reading">
        Live link
      </h3>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Chip {...PULSE_META[state]} />
        <p className="text-dense text-ink2">
          {since && (
            <>
              {"since "}
              <Moment at={since} format={formatInstantInText} />
              {last && `, ${describeCheck(last)}`}
            </>
          )}
          {lastCheckedAt && since && " · "}
          {lastCheckedAt && (
            <>
              {"Last checked "}
              <Moment at={lastCheckedAt} format={formatInstantInText} />
            </>
          )}
        </p>
      </div>
      {checks.length > 0 && (
        <Button
          size="sm"
          variant="quiet"
          aria-expanded={isOpen}
          className="-ms-3 justify-self-start"
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Hide last checks" : "Show last checks"}
        </Button>
      )}
      {isOpen && (
        <ol aria-label="Last checks" className="grid gap-1 border-line border-t pt-2 text-dense text-ink2">
          {checks.map((check) => (
            <li key={check.at} className="flex flex-wrap gap-x-3">
              <time dateTime={check.at} className="min-w-[9.5rem] tabular-nums">
                {formatInstantLong(check.at)}
              </time>
              <span className="min-w-12 text-ink">{check.isUp ? "OK" : "Failed"}</span>
              <span>{describeCheck(check)}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
