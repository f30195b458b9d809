import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ChatPlace, ToChatPlaceProps } from "./chat-place";
import { Messages } from "./messages";

/** The messages of a page that keeps their place in its own address (`?c=`, `?to=`): /admin and /client. Spec 2. */
export function MessagesSection() {
  const { c, to } = useSearch({ strict: false });
  const navigate = useNavigate();
  return (
    <Messages
      place={{ c, to }}
      link={ToPlace}
      onGo={(place, how) => void navigate({ to: ".", search: placed(place), ...how })}
    />
  );
}

function ToPlace({ place, ...rest }: ToChatPlaceProps) {
  return <Link {...rest} to="." search={placed(place)} />;
}

/** The same section elsewhere in the messages. */
function placed({ c, to }: ChatPlace) {
  return <Search extends object>(search: Search) => ({ ...search, c, to });
}
