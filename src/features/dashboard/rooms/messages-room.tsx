import { Messages } from "@/features/chat/messages";
import { useBoardNavigation, useBoardSearch } from "../use-board";
import { ToMessages } from "./to-messages";

/** ?view=messages: the conversations of whoever is signed in; clients have theirs on their own page. */
export function MessagesRoom() {
  const { c, to } = useBoardSearch();
  const { talk } = useBoardNavigation();
  return <Messages place={{ c, to }} link={ToMessages} onGo={talk} />;
}
