import { buttonStyle } from "@/ui/button-style";
import { NOT_FOUND } from "./content/firm";
import { PublicLayout } from "./public-layout";

/** Served with status 404 for unknown addresses. */
export function NotFoundPage() {
  return (
    <PublicLayout>
      <div className="flex min-h-[60dvh] flex-col items-start justify-center py-16">
        <svg viewBox="0 0 160 60" fill="none" aria-hidden="true" className="mb-8 h-15 w-40">
          <path
            d="M4 50c22 0 22-44 44-44s20 44 40 44c10 0 15-9 19-20"
            className="stroke-brand"
            strokeWidth="4.5"
            strokeLinecap="round"
          />
          <path
            d="M114 16c2-5 5-9 9-10"
            className="stroke-line-strong"
            strokeWidth="4.5"
            strokeLinecap="round"
            strokeDasharray="1 10"
          />
          <circle cx="142" cy="9" r="5" className="fill-ink" />
        </svg>
        <h1 className="text-h2">{NOT_FOUND.title}</h1>
        <p className="mt-3 max-w-[44ch] text-ink2 text-reading">{NOT_FOUND.lead}</p>
        <div className="mt-7 flex flex-wrap gap-2.5">
          <a href="/" className={buttonStyle({ variant: "primary", size: "lg" })}>
            Go to the start page
          </a>
          <a href="/login" className={buttonStyle({ size: "lg" })}>
            Sign in
          </a>
        </div>
      </div>
    </PublicLayout>
  );
}
