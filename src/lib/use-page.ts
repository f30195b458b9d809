import { useMatches } from "@tanstack/react-router";

/** The address of the page on screen as its route is declared, such as "/dashboard/messages/{-$conversationId}". */
export function usePage() {
  return useMatches({ select: (matches) => matches.at(-1)?.fullPath });
}
