import { id, optional, type RawSearch } from "@/lib/search";

/** `?to=` is the person to write a first message to; the open conversation is part of the path. */
export function readMessagesSearch({ to }: RawSearch) {
  return optional({ to: id(to) });
}

/** For a route's `params.parse`: anything but an id is dropped. */
export function readMessagesParams({ conversationId }: { conversationId?: string | undefined }) {
  return { conversationId: id(conversationId) };
}
