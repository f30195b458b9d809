import { Skeleton } from "./skeleton";

/** The frame of `AppShell` with nothing in it yet: sidebar, header and heading stand where they will be. */
export function ShellSkeleton() {
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[var(--sidebar-width)_minmax(0,1fr)]">
      <div className="hidden h-dvh flex-col border-line border-e bg-sunken px-[11px] md:flex">
        <div className="flex h-[60px] items-center px-[11px]">
          <Skeleton className="h-4 w-24 rail:w-5" />
        </div>
        <div className="flex flex-col gap-0.5">
          {["w-20", "w-24", "w-16"].map((width) => (
            <div key={width} className="flex h-[38px] items-center gap-2.5 px-2.5">
              <Skeleton className="size-[18px]" />
              <Skeleton className={`h-3.5 rail:hidden ${width}`} />
            </div>
          ))}
        </div>
      </div>
      <div className="min-w-0">
        <div className="flex h-[60px] items-center justify-end gap-2.5 px-4 sm:px-7">
          <Skeleton className="size-9" />
          <Skeleton className="h-9 w-24" />
        </div>
        <div className="px-4 pt-2 sm:px-7">
          <Skeleton className="h-[30px] w-52" />
        </div>
      </div>
      <div className="fixed inset-x-0 bottom-0 h-[60px] border-line border-t bg-sunken md:hidden" />
    </div>
  );
}
