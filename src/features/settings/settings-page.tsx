import { type ReactNode, Suspense } from "react";
import { lazyPart } from "@/lib/lazy-part";
import { Delayed } from "@/ui/delayed";
import { Skeleton } from "@/ui/skeleton";

/** `preloadSettings` fetches their code before anybody enters them. */
const { Part: SettingsSections, preload: preloadSettings } = lazyPart(() =>
  import("./settings-sections").then((module) => module.SettingsSections),
);

export { preloadSettings };

/** Settings, for every role, inside the shell of whichever page shows them; `children` are sections of that page alone. Their code is fetched with the first visit. */
export function SettingsPage({ children }: { children?: ReactNode }) {
  return (
    <>
      <h1 tabIndex={-1} className="text-h1">
        Settings
      </h1>
      <Suspense
        fallback={
          <Delayed pending label="Loading settings" skeleton={<SettingsSkeleton />}>
            {null}
          </Delayed>
        }
      >
        <SettingsSections />
        {children}
      </Suspense>
    </>
  );
}

function SettingsSkeleton() {
  return (
    <div className="grid max-w-[1000px] gap-x-12 gap-y-4 pt-6 lg:grid-cols-[216px_minmax(0,1fr)]">
      <div>
        <Skeleton className="h-6 w-24" />
        <Skeleton className="mt-2 h-9 w-48" />
      </div>
      <Skeleton className="h-[520px] rounded-card" />
    </div>
  );
}
