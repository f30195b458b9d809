import { trpc } from "@/lib/trpc";

/** Admins: how fast pages were for those who opened them. */
export function useVitals() {
  return trpc.vitals.summary.useQuery();
}
