import type { Vital } from "@db/enums";
import type { VitalSummary } from "@server/contract/vitals";
import { trpc } from "@/lib/trpc";

/** Page speeds as measured by visitors. Admins only. */
export function useVitals() {
  return trpc.vitals.summary.useQuery();
}

export const VITAL_COLUMNS: readonly { vital: Vital; label: string; title: string }[] = [
  { vital: "LCP", label: "Load", title: "Largest contentful paint" },
  { vital: "INP", label: "Response", title: "Interaction to next paint" },
  { vital: "CLS", label: "Layout shift", title: "Cumulative layout shift" },
  { vital: "FCP", label: "First paint", title: "First contentful paint" },
  { vital: "TTFB", label: "First byte", title: "Time to first byte" },
];

/** Upper bounds of "good". https://web.dev/articles/vitals */
const GOOD: Record<Vital, number> = { LCP: 2_500, INP: 200, CLS: 0.1, FCP: 1_800, TTFB: 800 };

/** "820 ms", "2.4 s", or the layout shift score. */
export function formatVital({ vital, p75 }: Pick<VitalSummary, "vital" | "p75">): string {
  if (vital === "CLS") return p75.toFixed(3);
  return p75 < 1_000 ? `${Math.round(p75)} ms` : `${(p75 / 1_000).toFixed(1)} s`;
}

export function isGood({ vital, p75 }: Pick<VitalSummary, "vital" | "p75">): boolean {
  return p75 <= GOOD[vital];
}

/** One row per page, in order of appearance. `visits` is the count of its most measured vital. */
export function pagesOf(summaries: readonly VitalSummary[]) {
  const pages = new Map<string, { route: string; visits: number; vitals: Map<Vital, VitalSummary> }>();
  for (const summary of summaries) {
    const page = pages.get(summary.route) ?? { route: summary.route, visits: 0, vitals: new Map() };
    page.visits = Math.max(page.visits, summary.count);
    page.vitals.set(summary.vital, summary);
    pages.set(summary.route, page);
  }
  return [...pages.values()];
}
