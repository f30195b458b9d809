import { BrandMark } from "@/ui/brand-mark";
import { FIRM } from "./content/firm";

type LinkCardProps = { title: string; about: string };

/** The preview image of a page, 1200 by 630, which `npm run assets` renders. */
export function LinkCard({ title, about }: LinkCardProps) {
  return (
    <div className="relative flex h-[630px] w-[1200px] flex-col justify-between overflow-hidden bg-canvas p-[72px] text-ink">
      <svg viewBox="0 0 1200 630" fill="none" aria-hidden="true" className="absolute inset-0 size-full">
        <path
          d="M-20 590c120 0 160-34 250-34s130 40 330 40c210 0 210-410 390-410 130 0 150 190 300 176"
          className="stroke-brand"
          strokeWidth="10"
          strokeLinecap="round"
        />
        <circle cx="950" cy="186" r="17" className="fill-ink" />
      </svg>
      <p className="relative flex items-center gap-6 font-display font-semibold text-[44px]/[1] tracking-[-0.02em]">
        <BrandMark className="h-[36px]! w-[56px]!" />
        {FIRM.product}
      </p>
      <div className="relative pb-20">
        <p className="max-w-[760px] text-balance font-display text-[78px]/[1.04] tracking-[-0.035em] [font-weight:650]">
          {title}
        </p>
        <p className="mt-6 text-[28px]/[1.3] text-ink2">{about}</p>
      </div>
    </div>
  );
}

/** The icon for home screens. It fills the window; the mark stays inside the circle that a system may crop to. */
export function AppIcon() {
  return (
    <div className="grid h-dvh w-dvw place-items-center bg-canvas text-ink">
      <BrandMark className="h-auto! w-[64%]!" />
    </div>
  );
}
