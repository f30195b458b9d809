import type { ReactNode } from "react";
import { cn } from "@/lib/cn";
import { useIsDrawing } from "@/lib/drawing";
import { useMedia } from "@/lib/use-media";
import { ConnectionLight } from "./connection-light";
import { LoadingThread } from "./loading-thread";
import { SkipLink } from "./skip-link";

type AppShellProps = {
  /** A link home, made of `BrandMark` and the name in `<ShellBrandName>`. */
  brand: ReactNode;
  /** `NavItem`s. */
  nav: ReactNode;
  /** `NavItem`s at the foot of the sidebar, then `SidebarToggle`. */
  navFooter?: ReactNode;
  /** Names the navigation; "Main" unless told. */
  navLabel?: string | undefined;
  /** Below 768 px, instead of the sidebar: at most five `BottomBarItem`s. */
  bottomBar?: ReactNode;
  /** `ShellHeader`, or nothing. */
  header?: ReactNode;
  /** Refetching: shows the progress line under the header. */
  refreshing?: boolean | undefined;
  /** Who lays out main: "page" pads it (28 px, 16 below 640), "fill" gives it the whole rest of the window. */
  main?: "page" | "fill" | undefined;
  children: ReactNode;
};

/**
 * The frame of a signed-in screen: skip link, sidebar or bottom bar, header, `main#main`. Only the one that is seen is in the document:
 * on a phone the other was a fifth of what is drawn first. Their classes hide what the server has drawn for another width.
 */
export function AppShell({
  brand,
  nav,
  navFooter,
  navLabel = "Main",
  bottomBar,
  header,
  refreshing = false,
  main = "page",
  children,
}: AppShellProps) {
  const isDrawing = useIsDrawing();
  const hasSidebar = useMedia("(width >= 48rem)");
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[var(--sidebar-width)_minmax(0,1fr)]">
      <SkipLink />
      <ConnectionLight />
      {hasSidebar && (
        <nav
          aria-label={navLabel}
          className="sticky top-0 hidden h-dvh flex-col overflow-y-auto overflow-x-hidden border-line border-e bg-sunken px-[11px] pb-4 md:flex"
        >
          <div className="flex h-[60px] shrink-0 items-center px-[11px]">{brand}</div>
          <ul className="flex flex-col">{nav}</ul>
          {navFooter && <ul className="mt-auto flex flex-col pt-6">{navFooter}</ul>}
        </nav>
      )}
      <div className={cn("flex min-w-0 flex-col md:col-start-2", main === "fill" && "h-dvh")}>
        {header}
        <LoadingThread active={refreshing && !isDrawing} />
        <main
          id="main"
          tabIndex={-1}
          className={cn(
            "min-w-0 flex-1",
            main === "page"
              ? "px-4 pt-2 pb-35 sm:px-7 md:pb-16"
              : cn("flex min-h-0 flex-col", bottomBar && "max-md:pb-[calc(60px+env(safe-area-inset-bottom))]"),
            main === "page" && !header && "sm:pt-6",
          )}
        >
          {children}
        </main>
      </div>
      {bottomBar && !hasSidebar && (
        <nav
          aria-label={navLabel}
          className="fixed inset-x-0 bottom-0 z-30 border-line border-t bg-sunken pb-[env(safe-area-inset-bottom)] md:hidden"
        >
          <ul className="flex h-[60px] items-stretch justify-around">{bottomBar}</ul>
        </nav>
      )}
    </div>
  );
}

type ShellHeaderProps = {
  /** Shown below 768 px only, where the sidebar with its brand is away. */
  brand?: ReactNode;
  children: ReactNode;
  className?: string | undefined;
};

/** The 60 px bar over the content; stays in view. */
export function ShellHeader({ brand, children, className }: ShellHeaderProps) {
  return (
    <header
      className={cn(
        "sticky top-0 z-30 flex h-[60px] shrink-0 items-center gap-2.5 bg-canvas px-4 sm:px-7 print:hidden",
        className,
      )}
    >
      {brand && <div className="me-auto flex min-w-0 items-center md:hidden">{brand}</div>}
      {children}
    </header>
  );
}

/** The product's name beside the mark: drops out of sight (not of its link's name) when the sidebar is a rail. */
export function ShellBrandName({ children }: { children: ReactNode }) {
  return <span className="rail:sr-only font-display font-semibold text-[17px] tracking-[-0.02em]">{children}</span>;
}
