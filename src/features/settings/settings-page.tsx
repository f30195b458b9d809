import { type ReactNode, Suspense } from "react";
import { Delayed } from "@/ui/delayed";
import { Skeleton } from "@/ui/skeleton";
import { LazySections } from "./lazy-sections";

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
        <LazySections />
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
