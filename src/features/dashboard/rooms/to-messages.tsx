import { Link } from "@tanstack/react-router";
import type { ToChatPlaceProps } from "@/features/chat/chat-place";
import { readBoardSearch } from "../board-search";

/** A link to a conversation in the Messages room. */
export function ToMessages({ place, ...rest }: ToChatPlaceProps) {
  return (
    <Link
      {...rest}
      from="/dashboard"
      to="/dashboard"
      search={(search) => readBoardSearch({ ...search, view: "messages", c: place.c, to: place.to })}
    />
  );
}
