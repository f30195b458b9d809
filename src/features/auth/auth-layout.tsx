import type { ReactNode } from "react";
import { BrandMark } from "@/ui/brand-mark";
import { SkipLink } from "@/ui/skip-link";
import { ThemeToggle } from "@/ui/theme-toggle";

type AuthLayoutProps = { title: string; lead: string; children: ReactNode };

/** One 400 px column with the brand above; from 1024 px on the threads meet on the left half. Design 3.2. */
export function AuthLayout({ title, lead, children }: AuthLayoutProps) {
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-2">
      <SkipLink />
      <ThreadArt />
      <div className="flex min-h-dvh min-w-0 flex-col">
        <header className="flex h-[72px] shrink-0 items-center justify-between px-4 sm:px-7">
          <a href="/" className="flex items-center gap-2.5 rounded-control lg:invisible">
            <BrandMark />
            <span className="font-display font-semibold text-[17px] tracking-[-0.02em]">Sangam</span>
          </a>
          <ThemeToggle />
        </header>
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

/** Streams of work that come together: the confluence the product is named after. */
function ThreadArt() {
  return (
    <div className="sticky top-0 hidden h-dvh flex-col overflow-hidden border-line border-e bg-sunken lg:flex">
      <a href="/" className="m-8 flex w-fit items-center gap-2.5 rounded-control">
        <BrandMark />
        <span className="font-display font-semibold text-[17px] tracking-[-0.02em]">Sangam</span>
      </a>
      <svg
        viewBox="0 0 640 720"
        preserveAspectRatio="xMidYMid slice"
        fill="none"
        aria-hidden="true"
        className="absolute inset-0 -z-0 size-full"
      >
        <g strokeWidth="2" strokeLinecap="round" className="stroke-line-strong/45">
          <path d="M-20 230 C 120 230 150 420 290 420 S 400 372 430 352" />
          <path d="M-20 640 C 90 640 130 500 250 470 S 390 396 430 352" />
          <path d="M200 760 C 210 640 260 560 330 500 S 412 394 430 352" />
        </g>
        <path
          d="M-20 430 C 80 430 110 330 200 330 S 330 440 400 392 S 470 210 560 210 S 640 250 660 262"
          strokeWidth="5"
          strokeLinecap="round"
          className="stroke-brand"
        />
        <circle cx="430" cy="352" r="9" className="fill-ink stroke-sunken" strokeWidth="5" />
      </svg>
      <p className="relative mt-auto max-w-[30ch] p-8 font-display font-semibold text-h3 text-ink tracking-[-0.02em]">
        One place where the firm and its clients see the same work.
      </p>
    </div>
  );
}
