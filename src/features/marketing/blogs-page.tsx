import { buttonStyle } from "@/ui/button-style";
import { BLOGS } from "./content/firm";
import { PublicLayout } from "./public-layout";

/** `/blogs`: there are none yet. */
export function BlogsPage() {
  return (
    <PublicLayout>
      <div className="grid min-h-[60dvh] grid-cols-[minmax(0,1fr)] items-center gap-12 py-12 md:grid-cols-[minmax(0,1fr)_minmax(0,420px)]">
        <div>
          <h1 className="text-hero tracking-[-0.035em] [font-weight:650]">{BLOGS.title}</h1>
          <p className="mt-5 max-w-[44ch] text-reading sm:text-lead">{BLOGS.lead}</p>
          <p className="mt-6 text-ink2 text-reading">{BLOGS.meanwhile}</p>
          <div className="mt-4 flex flex-wrap gap-2.5">
            <a href="/kartavya" className={buttonStyle({ size: "lg" })}>
              Kartavya
            </a>
            <a href="/careers" className={buttonStyle({ size: "lg" })}>
              Careers
            </a>
          </div>
        </div>
        <Notebook />
      </div>
    </PublicLayout>
  );
}

/** An open page whose first line is being written, with the thread as its ink. */
function Notebook() {
  return (
    <svg viewBox="0 0 420 300" fill="none" aria-hidden="true" className="w-full max-w-[420px] max-md:order-first">
      <rect x="30" y="24" width="360" height="252" rx="18" className="fill-raised stroke-line" strokeWidth="1.5" />
      <path d="M210 25v250" className="stroke-line" strokeWidth="1.5" />
      <path
        d="M240 120h118M240 152h118M240 184h118M240 216h74M62 88h118M62 120h118M62 152h118M62 184h118M62 216h118"
        className="stroke-line"
        strokeWidth="1.5"
      />
      <path
        d="M62 84c14 0 14-28 26-28s14 28 26 28 12-18 22-18 10 18 20 18 14-12 24-24c22-26 66-34 92-4"
        className="stroke-brand"
        strokeWidth="4.5"
        strokeLinecap="round"
      />
      <path d="m272 56 62-42 16 22-62 42-22 6z" className="fill-ink" />
      <path d="m318 25 16 22" className="stroke-brand" strokeWidth="4" />
    </svg>
  );
}
