import { type ComponentProps, lazy, Suspense, useState } from "react";

const load = () => import("./project-forms");
const ProjectForms = lazy(() => load().then((module) => ({ default: module.ProjectForms })));

/** Fetches the forms before anybody opens one; a failure is told when one does. */
export function preloadForms(): void {
  load().catch(() => undefined);
}

/** The forms over "All Projects": there with the first that opens. */
export function LazyProjectForms(props: ComponentProps<typeof ProjectForms>) {
  const [isNeeded, setNeeded] = useState(false);
  if (!isNeeded && props.shown !== null) setNeeded(true);
  return (
    isNeeded && (
      <Suspense>
        <ProjectForms {...props} />
      </Suspense>
    )
  );
}
