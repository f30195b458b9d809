import { getRouteApi, Link } from "@tanstack/react-router";
import type { ChatPlace, ToChatPlaceProps } from "@/features/chat/chat-place";
import { Messages } from "@/features/chat/messages";
import { withClientSearch } from "./client-search";

const route = getRouteApi("/client");

/** ?section=messages: a client's conversations with admins. Spec 2, Client dashboard. */
export function MessagesSection() {
  const { c, to } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Messages
      place={{ c, to }}
      link={ToMessages}
      onGo={(place, how) => void navigate({ search: withClientSearch(placeSearch(place)), ...how })}
    />
  );
}

function ToMessages({ place, ...rest }: ToChatPlaceProps) {
  return <Link {...rest} from="/client" to="/client" search={withClientSearch(placeSearch(place))} />;
}

function placeSearch({ c, to }: ChatPlace) {
  return { section: "messages" as const, c, to };
}
