import { getRouteApi, Link } from "@tanstack/react-router";
import type { ChatPlace, ToChatPlaceProps } from "@/features/chat/chat-place";
import { Messages } from "@/features/chat/messages";
import { withAdminSearch } from "./admin-search";

const route = getRouteApi("/admin");

/** ?section=messages: an admin's conversations with clients and users. Spec 2, Messages tab. */
export function MessagesSection() {
  const { c, to } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Messages
      place={{ c, to }}
      link={ToMessages}
      onGo={(place, how) => void navigate({ search: withAdminSearch(placeSearch(place)), ...how })}
    />
  );
}

function ToMessages({ place, ...rest }: ToChatPlaceProps) {
  return <Link {...rest} from="/admin" to="/admin" search={withAdminSearch(placeSearch(place))} />;
}

function placeSearch({ c, to }: ChatPlace) {
  return { section: "messages" as const, c, to };
}
