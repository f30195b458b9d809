import { describeNotification, groupBy, thingOf, titleOf } from "@server/contract/messages/notifications";
import type { Notification } from "@server/contract/views";
import { CheckCheck, Server } from "lucide-react";
import { cn } from "@/lib/cn";
import { formatInstant } from "@/lib/format";
import { useToday } from "@/lib/use-today";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { PagedList } from "@/ui/paged-list";
import { Skeleton } from "@/ui/skeleton";
import { VisuallyHidden } from "@/ui/visually-hidden";
import { ThingLink } from "./thing-link";
import { useMarkRead } from "./use-notification-actions";
import { useNotifications, useUnreadNotifications } from "./use-notifications";

/** All that one was notified of, by what it is about, newest first. Design 3.12. */
export function InboxPage() {
  const notifications = useNotifications();
  const unread = useUnreadNotifications();
  const markRead = useMarkRead();
  // Past midnight "Today 10:42" becomes a date.
  useToday();
  return (
    <>
      <div className="mb-4 flex min-h-11 max-w-[860px] flex-wrap items-center justify-between gap-x-4 gap-y-2 pointer-fine:min-h-9">
        <h1 tabIndex={-1} className="text-h1">
          Inbox
        </h1>
        <Button aria-disabled={unread === 0} onClick={() => unread > 0 && markRead.mutate({ all: true })}>
          Mark all as read
        </Button>
      </div>
      <PagedList
        list={notifications}
        label="Loading notifications"
        skeleton={<RowsSkeleton />}
        empty={<EmptyState icon={CheckCheck} message="You're all caught up" />}
      >
        {(items) => (
          <ul aria-label="Notifications" className="grid max-w-[860px] grid-cols-[minmax(0,1fr)] gap-1">
            {groupBy(items, ({ subject }) => thingOf(subject)).map((group) => (
              <InboxGroup key={thingOf(group[0].subject)} group={group} />
            ))}
          </ul>
        )}
      </PagedList>
    </>
  );
}

/** Of one thing so many sentences are shown; the newest say enough. */
const MAX_LINES = 3;

function InboxGroup({ group }: { group: [Notification, ...Notification[]] }) {
  const [newest] = group;
  const isUnread = group.some(({ readAt }) => readAt === null);
  const sentences = [...new Set(group.map(describeNotification))];
  return (
    <li>
      <ThingLink
        group={group}
        className="flex flex-wrap items-start gap-x-3 rounded-card p-3 sm:flex-nowrap transition-colors duration-90 ease-out hover:bg-hover focus-visible:outline-offset-[-2px]"
      >
        <span
          aria-hidden="true"
          className={cn("mt-3 size-2 shrink-0 rounded-pill", isUnread ? "bg-brand" : "bg-transparent")}
        />
        <Avatar
          name={newest.actor?.name ?? "Sangam"}
          src={newest.actor?.profileImgLink}
          icon={newest.actor ? undefined : Server}
          size={34}
        />
        <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
          <span className={cn("line-clamp-2", isUnread && "font-semibold")}>
            {isUnread && <VisuallyHidden>Unread: </VisuallyHidden>}
            {titleOf(newest)}
          </span>
          {sentences.slice(0, MAX_LINES).map((sentence) => (
            <span key={sentence} className="block text-dense text-ink2">
              {sentence}
            </span>
          ))}
          {sentences.length > MAX_LINES && (
            <span className="block text-dense text-ink2">{`and ${sentences.length - MAX_LINES} more`}</span>
          )}
          {newest.project && newest.taskNumber !== null && (
            <span className="block truncate text-ink3 text-meta">{newest.project.title}</span>
          )}
        </span>
        <time
          dateTime={newest.createdAt}
          className="shrink-0 pt-0.5 text-ink3 text-meta max-sm:w-full max-sm:ps-[66px]"
        >
          {formatInstant(newest.createdAt)}
        </time>
      </ThingLink>
    </li>
  );
}

const SKELETON_ROWS = ["first", "second", "third", "fourth", "fifth"];

function RowsSkeleton() {
  return (
    <div className="grid max-w-[860px] gap-1">
      {SKELETON_ROWS.map((row) => (
        <div key={row} className="flex h-[66px] items-start gap-3 p-3">
          <Skeleton className="ms-5 size-[34px] rounded-avatar" />
          <div className="flex-1">
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="mt-2 h-3.5 w-3/5" />
          </div>
        </div>
      ))}
    </div>
  );
}
