import { useLocalSetting } from "@/lib/use-local-setting";
import { Choice } from "./choice";
import { type NotificationState, useNotificationState } from "./use-notification-state";
import { useUnreadMail } from "./use-settings";

/** How one hears of messages while one looks elsewhere: the browser's own notifications, and a mail. */
export function Notifications() {
  const [isMailed, setMailed] = useUnreadMail();
  const [isWished, setWished] = useLocalSetting("notifications");
  const [state, ask] = useNotificationState();

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
      <Choice label="Email me about messages that stay unread for 15 minutes" isOn={isMailed} onChange={setMailed}>
        One mail for each conversation until you have read it, and none while you have a page open here. It does not
        hold the messages themselves.
      </Choice>
    </div>
  );
}

const SHOWN = "Shows who writes to you and how the message begins while you look elsewhere. Kept in this browser only.";
const STATE_TEXTS: Record<NotificationState, string> = {
  granted: SHOWN,
  default: `${SHOWN} Your browser will ask you to allow it.`,
  denied:
    "Your browser blocks notifications from this site. Allow them in the settings beside the address of the page, then come back here.",
  unsupported:
    "This browser cannot show notifications from here. It needs a secure (https) address, and on an iPhone or iPad it is not offered.",
};
