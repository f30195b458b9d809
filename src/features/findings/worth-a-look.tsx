import { type ComponentProps, lazy, Suspense } from "react";
import { Skeleton } from "@/ui/skeleton";

const FindingSection = lazy(() => import("./finding-section").then((module) => ({ default: module.FindingSection })));
const Findings = lazy(() => import("./project-findings").then((module) => ({ default: module.ProjectFindings })));

/** "Worth a look". Its page asks, so that what stands below can wait; the code comes later. */
export function WorthALook(props: ComponentProps<typeof FindingSection>) {
  return (
    <Suspense fallback={<Skeleton className="h-28 w-full" />}>
      <FindingSection {...props} />
    </Suspense>
  );
}

/** The same for one project, with its live link. */
export function ProjectFindings(props: ComponentProps<typeof Findings>) {
  return (
    <Suspense fallback={<Skeleton className="h-28 w-full" />}>
      <Findings {...props} />
    </Suspense>
  );
}
