import { NOTIFICATION_KINDS, NOTIFICATION_MAILS, type NotificationKind } from "@db/event-kinds";
import { NOTIFICATION_KIND_LABELS } from "@server/contract/messages/notifications";
import type { NotificationPreference } from "@server/contract/notifications";
import { NOTIFIED_OF } from "@server/contract/notified";
import { useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { messageOf } from "@/lib/user-message";
import { Checkbox } from "@/ui/checkbox";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { Select } from "@/ui/select";
import { Skeleton } from "@/ui/skeleton";
import { usePreferences, useSetPreferences } from "./use-preferences";

const MAIL_LABELS: Record<NotificationPreference["mail"], string> = {
  "at-once": "Email at once",
  daily: "Email once a day",
  off: "No email",
};

/** Of each kind: whether the inbox shows it, and when it is mailed. */
export function NotificationPreferences() {
  const { accountType } = useMe();
  const preferences = usePreferences();
  const save = useSetPreferences();
  // The cache tells of changes a moment later: a controlled checkbox would jump back in between, and a second press build on the old.
  const [wishes, setWishes] = useState<Partial<Record<NotificationKind, NotificationPreference>>>({});
  function choose(kind: NotificationKind, preference: NotificationPreference): void {
    const wish = { [kind]: preference };
    setWishes((earlier) => ({ ...earlier, ...wish }));
    // Called only for the last of several.
    save.mutate(wish, { onSettled: () => setWishes({}) });
  }
  const kinds = NOTIFICATION_KINDS.filter((kind) => NOTIFIED_OF[kind].includes(accountType));
  return (
    <Delayed
      pending={preferences.data === undefined && preferences.isPending}
      label="Loading notification settings"
      skeleton={<Skeleton className="h-80" />}
    >
      {() =>
        preferences.data ? (
          <ul aria-label="What you are notified of" className="grid gap-1">
            {kinds.map((kind) => {
              const chosen = wishes[kind] ?? preferences.data[kind];
              return (
                <li key={kind} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                  <Checkbox
                    label={<span className="font-medium">{NOTIFICATION_KIND_LABELS[kind]}</span>}
                    checked={chosen.inApp}
                    onChange={({ target }) => choose(kind, { ...chosen, inApp: target.checked })}
                  />
                  <Select
                    aria-label={`Email: ${NOTIFICATION_KIND_LABELS[kind]}`}
                    value={chosen.mail}
                    className="w-44 max-sm:ms-[30px]"
                    onChange={({ target }) => {
                      const mail = NOTIFICATION_MAILS.find((one) => one === target.value);
                      if (mail) choose(kind, { ...chosen, mail });
                    }}
                  >
                    {NOTIFICATION_MAILS.map((mail) => (
                      <option key={mail} value={mail}>
                        {MAIL_LABELS[mail]}
                      </option>
                    ))}
                  </Select>
                </li>
              );
            })}
          </ul>
        ) : (
          <ErrorState
            message={messageOf(preferences.error)}
            busy={preferences.isFetching}
            onRetry={() => void preferences.refetch()}
          />
        )
      }
    </Delayed>
  );
}
