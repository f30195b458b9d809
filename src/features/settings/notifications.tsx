import { useCallback, useSyncExternalStore } from "react";
import { canBePushed, usePush } from "@/features/notifications/use-push";
import { createStore } from "@/lib/store";
import { useLocalSetting } from "@/lib/use-local-setting";
import { Choice } from "./choice";
import { useUnreadMail } from "./use-settings";

/** Settings for browser notifications and for mails about unread messages. */
export function Notifications() {
  const [isMailed, setMailed] = useUnreadMail();
  const [isWished, setWished] = useLocalSetting("notifications");
  const [state, ask] = useNotificationState();
  const push = usePush();

  async function choose(isOn: boolean): Promise<void> {
    setWished(isOn && (await ask()) === "granted");
  }
  return (
    <div className="flex flex-col gap-3">
      <Choice
        label="Notifications in this browser"
        isOn={isWished && state === "granted"}
        isDisabled={state === "denied" || state === "unsupported"}
        onChange={(isOn) => void choose(isOn)}
      >
        {STATE_TEXTS[state]}
      </Choice>
      <Choice
        label="Push notifications to this browser"
        isOn={push.wish ?? (state === "granted" && (push.isOn ?? false))}
        isDisabled={push.isOn === undefined || state === "denied"}
        isBusy={push.wish !== undefined}
        onChange={(isOn) => void push.choose(isOn).then(store.emit)}
      >
        Shows what arrives in your inbox, even while Sangam is closed, until you log out here.
        {describePush(state)}
      </Choice>
      <Choice label="Email me about messages that stay unread for 15 minutes" isOn={isMailed} onChange={setMailed}>
        One email per conversation until you read it, and none while you have Sangam open. It doesn't include the
        messages.
      </Choice>
    </div>
  );
}

function describePush(state: NotificationState): string {
  if (!canBePushed()) return " This browser doesn't offer it here.";
  if (state === "denied") return " Your browser blocks notifications from this site.";
  return state === "default" ? " Your browser will ask you to allow it." : "";
}

const SHOWN =
  "Shows the sender and the start of the message while you are in another tab or window. Saved in this browser only.";
const STATE_TEXTS: Record<NotificationState, string> = {
  granted: SHOWN,
  default: `${SHOWN} Your browser will ask you to allow it.`,
  denied:
    "Your browser blocks notifications from this site. Allow them in the site settings beside the address bar, then come back.",
  unsupported:
    "This browser can't show notifications here. They need a secure (https) address, and iPhone and iPad don't offer them.",
};

/** "unsupported" also on addresses that are not secure. */
type NotificationState = NotificationPermission | "unsupported";

const store = createStore((emit) => {
  // Whoever changes the permission in the browser's settings comes back to this window.
  window.addEventListener("focus", emit);
  return () => window.removeEventListener("focus", emit);
});

/** The browser's permission. `ask` shows its prompt if it has not been answered, and resolves to the permission afterwards. */
function useNotificationState(): [state: NotificationState, ask: () => Promise<NotificationState>] {
  const state = useSyncExternalStore(store.subscribe, read);
  const ask = useCallback(async () => {
    if (read() === "default") await Notification.requestPermission().catch(() => undefined);
    store.emit();
    return read();
  }, []);
  return [state, ask];
}

function read(): NotificationState {
  return typeof Notification === "undefined" || !isSecureContext ? "unsupported" : Notification.permission;
}
