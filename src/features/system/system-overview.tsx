import type { SystemStatus, SystemWarning } from "@server/contract/system";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { useId } from "react";
import { PageSpeed } from "@/features/vitals/page-speed";
import { formatInstantInText, formatTime, plural } from "@/lib/format";
import { formatBytes } from "@/lib/format-bytes";
import { messageOf } from "@/lib/user-message";
import { cardStyle } from "@/ui/card-style";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import { BackupCard } from "./backup-card";
import { MailCard } from "./mail-card";
import { ReplyTimeCard } from "./reply-time-card";
import { FactList, SystemCard } from "./system-card";
import { describeJob, describeJobs, formatDuration, formatMilliseconds, jobLabel } from "./system-text";
import { useSystemStatus } from "./use-system";

/** How the servers, their database and their work stand: what is to do first, then a card for each thing. */
export function SystemOverview() {
  const status = useSystemStatus();
  return (
    <Delayed pending={status.isPending} label="Loading the state of the system" skeleton={<OverviewSkeleton />}>
      {() =>
        status.data ? (
          <div className="grid max-w-[1000px] grid-cols-1 gap-4">
            {status.isRefetchError && (
              <p role="status" className="text-dense text-orange">
                Not refreshed since {formatTime(new Date(status.dataUpdatedAt))}: {messageOf(status.error)}
              </p>
            )}
            <Warnings warnings={status.data.warnings} />
            <Cards status={status.data} nowMs={status.dataUpdatedAt} />
          </div>
        ) : (
          <ErrorState
            message={messageOf(status.error)}
            busy={status.isFetching}
            onRetry={() => void status.refetch()}
          />
        )
      }
    </Delayed>
  );
}

function Warnings({ warnings }: { warnings: readonly SystemWarning[] }) {
  const id = useId();
  if (warnings.length === 0) {
    return (
      <p className="flex items-center gap-2.5 font-medium text-green">
        <CircleCheck size={20} className="shrink-0" />
        All is well: there is nothing to do.
      </p>
    );
  }
  return (
    <section aria-labelledby={id} className={`${cardStyle()} sm:p-5`}>
      <h2 id={id} className="text-h3">
        To do
      </h2>
      <ul className="mt-2 flex flex-col">
        {warnings.map(({ text, action }) => (
          <li key={text} className="flex gap-3 border-line py-3 last:pb-0 not-first:border-t">
            <TriangleAlert size={20} className="mt-px shrink-0 text-orange" />
            <div className="min-w-0 [overflow-wrap:anywhere]">
              <p className="font-medium">{text}</p>
              <p className="mt-0.5 text-ink2">{action}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

type CardsProps = { status: SystemStatus; nowMs: number };

function Cards({ status, nowMs }: CardsProps) {
  const { backups, mail, jobs, streams, procedures, database } = status;
  const waiting = jobs.reduce((sum, job) => sum + job.waiting, 0);
  const [slowest] = procedures;
  return (
    <>
      <BackupCard backups={backups} />
      <MailCard mail={mail} />
      <ReplyTimeCard />
      <SystemCard title="Jobs" lead={describeJobs(jobs)} figure={waiting.toLocaleString("en-GB")} figureLabel="waiting">
        <FactList
          label="Kinds of jobs"
          facts={jobs.map(({ kind, failingSince, lastError, ...job }) => ({
            key: kind,
            name: jobLabel(kind),
            values: [describeJob(job)],
            trouble:
              failingSince === null
                ? undefined
                : `Failing since ${formatInstantInText(failingSince)}: ${lastError ?? ""}`,
          }))}
        />
      </SystemCard>
      <SystemCard
        title="Streams"
        lead={`${plural(streams.sockets, "WebSocket")} and ${plural(streams.eventStreams, "event stream")} keep open pages up to date.`}
        figure={(streams.sockets + streams.eventStreams).toLocaleString("en-GB")}
        figureLabel="connections"
      />
      <SystemCard
        title="Slowest calls"
        lead="In the last hour: how long a usual call takes, and what 99 of 100 calls take at most."
        figure={slowest ? formatMilliseconds(slowest.p99Ms) : "none"}
        figureLabel={slowest ? "99 of 100 are faster" : "within the hour"}
      >
        <FactList
          label="Slowest calls of the last hour"
          facts={procedures.map(({ name, count, p50Ms, p99Ms }) => ({
            key: name,
            name,
            values: [
              `usually ${formatMilliseconds(p50Ms)}`,
              `99 of 100: ${formatMilliseconds(p99Ms)}`,
              plural(count, "call"),
            ],
          }))}
        />
      </SystemCard>
      <SystemCard
        title="Database"
        lead={`PostgreSQL ${database.version}: ${database.connections} of ${database.maxConnections} connections are taken.`}
        figure={formatBytes(database.sizeBytes)}
        figureLabel="size"
      />
      <SpeedCard />
      <VersionCard status={status} nowMs={nowMs} />
    </>
  );
}

function SpeedCard() {
  const id = useId();
  return (
    <section aria-labelledby={id} className={`${cardStyle()} grid grid-cols-1 gap-4 sm:p-5`}>
      <div>
        <h2 id={id} className="text-h3">
          Page speed
        </h2>
        <p className="mt-1 text-ink2">
          Three out of four visits in the last 28 days were at least this fast. We don't record whose visits they were.
        </p>
      </div>
      <PageSpeed />
    </section>
  );
}

function VersionCard({ status: { version, node, processes }, nowMs }: CardsProps) {
  const versions = new Set(processes.map((server) => server.version)).size;
  const servers = plural(processes.length, "server");
  return (
    <SystemCard
      title="Version"
      lead={
        versions > 1
          ? `${servers} run, of ${versions} versions: an upgrade is under way.`
          : `${processes.length === 1 ? "1 server runs" : `${servers} run`} Sangam ${version} on Node.js ${node}.`
      }
      figure={version}
      figureLabel="version"
    >
      <FactList
        label="Servers"
        facts={processes.map((server) => ({
          key: server.id,
          name: server.host,
          values: [
            `Version ${server.version}`,
            `up for ${formatDuration((nowMs - Date.parse(server.startedAt)) / 1_000)}`,
            `${formatBytes(server.memoryBytes)} of memory`,
            plural(server.sockets + server.eventStreams, "connection"),
          ],
        }))}
      />
    </SystemCard>
  );
}

const SKELETON_CARDS = ["backups", "mail", "jobs", "streams", "calls"];

function OverviewSkeleton() {
  return (
    <div className="grid max-w-[1000px] gap-4">
      {SKELETON_CARDS.map((card) => (
        <Skeleton key={card} className="h-32 rounded-card" />
      ))}
    </div>
  );
}
