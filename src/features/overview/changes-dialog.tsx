import { OVERVIEW_MESSAGES } from "@server/contract/messages/overview";
import type { Change, ChangeList } from "@server/contract/views";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMe } from "@/features/auth/use-auth";
import { conversationHref } from "@/features/chat/conversation-link";
import { today as dayOf, formatDay, formatInstant, formatInstantLong } from "@/lib/format";
import { pushed } from "@/lib/layers";
import { useToday } from "@/lib/use-today";
import { messageOf } from "@/lib/user-message";
import { Delayed } from "@/ui/delayed";
import { Dialog } from "@/ui/dialog";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import { useLast } from "@/ui/use-last";
import type { ChangesAsked } from "./since-search";
import { describeCount, describeSince, type Side } from "./start-page/since-text";
import { useChanges } from "./use-overview";

const LINK = "font-medium text-brand-text underline underline-offset-3";

type ChangesDialogProps = { asked: ChangesAsked | undefined; side: Side; onClose: () => void };

/** Exactly what one part of "Since Tuesday: …" counts, newest first. Open while something is asked for. */
export function ChangesDialog({ asked, side, onClose }: ChangesDialogProps) {
  const shown = useLast(asked, asked !== undefined);
  const query = useChanges(shown);
  return (
    <Dialog
      open={asked !== undefined}
      onOpenChange={(open) => open || onClose()}
      title={<Title asked={shown} side={side} changes={query.data} />}
    >
      <Delayed pending={query.isPending} label="Loading" skeleton={<Skeleton className="h-40" />}>
        {() => {
          if (!query.data) {
            const { error, isFetching, refetch } = query;
            return <ErrorState message={messageOf(error)} busy={isFetching} onRetry={() => void refetch()} />;
          }
          return <List changes={query.data} side={side} />;
        }}
      </Delayed>
    </Dialog>
  );
}

function Title({
  asked,
  side,
  changes,
}: Pick<ChangesDialogProps, "asked" | "side"> & { changes?: ChangeList | undefined }) {
  const today = useToday();
  if (!asked) return null;
  const since = new Date(asked.since);
  const text = changes ? describeCount(asked.kind, { count: changes.count, side }) : "Changes";
  return `${text} since ${describeSince(since, { today, day: dayOf(since) })}`;
}

function List({ changes: { items, counts, count }, side }: { changes: ChangeList; side: Side }) {
  const named = counts.reduce((sum, { count: some }) => sum + some, items.length);
  if (items.length + counts.length === 0) return <EmptyState message={OVERVIEW_MESSAGES.noChanges} />;
  return (
    <>
      <ul className="flex flex-col">
        {counts.map(({ project, count: some }) => (
          <Row key={project.id} facts={null}>
            <bdi>{project.title}</bdi>: {describeCount("commits", { count: some, side })}
          </Row>
        ))}
        {items.map((change) => (
          <Row key={change.id} facts={<Facts change={change} />}>
            <Subject change={change} />
          </Row>
        ))}
      </ul>
      {count > named && (
        <p className="mt-3 text-dense text-ink2">
          These are the newest {items.length.toLocaleString("en-GB")} of {count.toLocaleString("en-GB")}.
        </p>
      )}
    </>
  );
}

function Row({ facts, children }: { facts: ReactNode; children: ReactNode }) {
  return (
    <li className="border-line py-2.5 [overflow-wrap:anywhere] not-first:border-t">
      {children}
      {facts && <p className="mt-0.5 flex flex-wrap gap-x-3 text-dense text-ink2">{facts}</p>}
    </li>
  );
}

/** Where it stands: the task's page, the project's panel, the commit, the conversation. */
function Subject({ change }: { change: Change }) {
  const { accountType } = useMe();
  const { title, project, taskNumber, conversationId, htmlUrl } = change;
  const name = <bdi>{title}</bdi>;
  if (conversationId) {
    return (
      <Link to={conversationHref(accountType, conversationId)} className={LINK}>
        {name}
      </Link>
    );
  }
  if (htmlUrl) {
    return (
      <a href={htmlUrl} target="_blank" rel="noreferrer" className={LINK}>
        {name}
      </a>
    );
  }
  if (!project) return name;
  const layer = taskNumber === null ? ("panel" as const) : ("task" as const);
  const opened = taskNumber === null ? project.id : `${project.key}-${taskNumber}`;
  return (
    <Link
      to="."
      // A task would cover the panel.
      search={(kept: object): object => ({ ...kept, since: undefined, task: undefined, [layer]: opened })}
      state={({ layers = {} }) => ({ layers: pushed(layers, layer) })}
      resetScroll={false}
      className={LINK}
    >
      {name}
    </Link>
  );
}

function Facts({ change: { at, project, taskNumber, from, to, author } }: { change: Change }) {
  return (
    <>
      {author && <bdi>{author}</bdi>}
      {project && <bdi>{taskNumber === null ? project.title : `${project.key}-${taskNumber}, ${project.title}`}</bdi>}
      {from ? (
        <span>
          {formatDay(from)} → {to ? formatDay(to) : "no date"}
        </span>
      ) : (
        <time dateTime={at} title={formatInstantLong(at)}>
          {formatInstant(at)}
        </time>
      )}
    </>
  );
}
