import type { ReactNode } from "react";
import { BrandMark } from "@/ui/brand-mark";
import { SkipLink } from "@/ui/skip-link";
import { ThemeToggle } from "@/ui/theme-toggle";

/** A link inside a sentence. */
export const authLink = "font-medium text-brand-text underline underline-offset-3";

type AuthLayoutProps = { title: string; lead: string; children: ReactNode };

/** One 400 px column with the brand above; from 1024 px on the threads meet on the left half. Design 3.2. */
export function AuthLayout({ title, lead, children }: AuthLayoutProps) {
  return (
    <div className="relative min-h-dvh lg:grid lg:grid-cols-2">
      <SkipLink />
      <header className="absolute inset-x-0 top-0 z-10 flex h-[72px] items-center justify-between px-4 sm:px-7">
        <a href="/" className="flex min-h-11 items-center gap-2.5 rounded-control pe-1">
          <BrandMark />
          <span className="font-display font-semibold text-[17px] tracking-[-0.02em]">Sangam</span>
        </a>
        <span className="-me-2.5">
          <ThemeToggle />
        </span>
      </header>
      <ThreadArt />
      <div className="flex min-h-dvh min-w-0 flex-col pt-[72px]">
        <main id="main" tabIndex={-1} className="flex flex-1 justify-center px-4 pt-4 pb-16 sm:px-7 sm:pt-[8dvh]">
          <div className="w-full max-w-[400px]">
            <h1 tabIndex={-1} className="text-h1">
              {title}
            </h1>
            <p className="mt-2 text-ink2">{lead}</p>
            <div className="mt-6">{children}</div>
          </div>
        </main>
      </div>
    </div>
  );
}

/** Streams that meet: the confluence the product is named after. */
function ThreadArt() {
  return (
    <div
      aria-hidden="true"
      className="sticky top-0 hidden h-dvh flex-col justify-end overflow-hidden border-line border-e bg-sunken lg:flex"
    >
      <svg
        viewBox="0 0 640 720"
        preserveAspectRatio="xMidYMid slice"
        fill="none"
        aria-hidden="true"
        className="pointer-events-none absolute inset-0 size-full"
      >
        <g strokeWidth="2.5" strokeLinecap="round" className="stroke-line-strong/50">
          <path d="M-20 170 C 150 170 120 396 246 396 C 286 396 314 382 340 366" />
          <path d="M-20 396 C 70 396 96 476 176 476 C 252 476 290 398 340 366" />
          <path d="M-20 612 C 110 612 146 540 214 512 C 288 482 300 396 340 366" />
        </g>
        <path
          d="M340 366 C 398 331 424 198 508 198 S 606 300 680 280"
          strokeWidth="6"
          strokeLinecap="round"
          className="stroke-brand"
        />
        <circle cx="340" cy="366" r="10" className="fill-ink stroke-sunken" strokeWidth="6" />
      </svg>
      <p className="relative max-w-[32ch] p-7 font-display font-semibold text-h3 text-ink tracking-[-0.02em]">
        One place where the firm and its clients see the same work.
      </p>
    </div>
  );
}
