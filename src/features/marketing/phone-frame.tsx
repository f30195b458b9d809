import { BatteryFull, CircleCheck, MapPin, SignalHigh } from "lucide-react";
import { cn } from "@/lib/cn";
import { Chip } from "@/ui/chip";
import { PHONE } from "./content/kartavya";

/** The app on a phone, drawn in CSS. Decorative: the page's text says the same. */
export function PhoneFrame({ className }: { className?: string }) {
  return (
    <div aria-hidden="true" className={cn("relative grid justify-items-center", className)}>
      <svg
        viewBox="0 0 440 560"
        preserveAspectRatio="none"
        fill="none"
        aria-hidden="true"
        className="absolute inset-0 size-full"
      >
        <path
          d="M4 474c70 0 78-250 150-300s150 40 196 92 78 66 86-62"
          className="stroke-brand"
          strokeWidth="4.5"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <div className="relative my-4 w-[276px] rounded-[42px] bg-ink p-2.5 shadow-3 dark:bg-line">
        <div className="flex flex-col rounded-[33px] bg-surface px-4 pt-3 pb-5 text-dense">
          <div className="flex items-center justify-between px-1.5 font-semibold text-meta">
            <span>{PHONE.time}</span>
            <span className="h-[18px] w-[74px] rounded-pill bg-ink dark:bg-line" />
            <span className="flex gap-1">
              <SignalHigh size={14} className="stroke-2" />
              <BatteryFull size={16} />
            </span>
          </div>
          <p className="mt-5 font-display font-semibold text-lead tracking-[-0.02em]">{PHONE.greeting}</p>
          <p className="text-ink2">{PHONE.shift}</p>
          <Face />
          <div className="mt-4 flex items-center justify-between">
            <Chip tone="green" icon={CircleCheck} label={PHONE.state} />
            <span className="flex items-center gap-1 whitespace-nowrap text-ink2 text-meta">
              <MapPin size={12} />
              {PHONE.place}
            </span>
          </div>
          <Week />
          <div className="mt-4 flex items-center justify-between rounded-control bg-sunken px-3 py-2.5">
            <span className="text-ink2">{PHONE.balance}</span>
            <span className="font-semibold">{PHONE.days}</span>
          </div>
          <span className="mt-4 h-1 w-24 self-center rounded-pill bg-line-strong" />
        </div>
      </div>
    </div>
  );
}

/** A face in the camera's frame. */
function Face() {
  return (
    <div className="mt-4 rounded-card bg-sunken">
      <svg viewBox="0 0 212 168" fill="none" aria-hidden="true" className="w-full">
        <path
          d="M46 48V34a10 10 0 0 1 10-10h14M142 24h14a10 10 0 0 1 10 10v14M166 120v14a10 10 0 0 1-10 10h-14M70 144H56a10 10 0 0 1-10-10v-14"
          className="stroke-brand"
          strokeWidth="4"
          strokeLinecap="round"
        />
        <path d="M66 144c4-22 20-31 40-31s36 9 40 31" className="fill-line-strong" />
        <path d="M96 104h20v16a10 10 0 0 1-20 0z" className="fill-brand" />
        <ellipse cx="106" cy="79" rx="27" ry="33" className="fill-brand" />
        <path
          d="M78 76c-3-26 10-40 29-40s32 13 28 40c-6-8-9-16-10-22-12 6-31 6-39 0-2 8-4 15-8 22Z"
          className="fill-line-strong"
        />
        <circle cx="96" cy="81" r="2.6" className="fill-on-brand" />
        <circle cx="117" cy="81" r="2.6" className="fill-on-brand" />
        <path d="M97 96c5 5 14 5 19 0" className="stroke-on-brand" strokeWidth="2.6" strokeLinecap="round" />
      </svg>
    </div>
  );
}

/** Four days of the week are done; the fifth has just begun. */
function Week() {
  return (
    <div className="mt-4 grid grid-cols-5 gap-1.5">
      {PHONE.week.map((day, at) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the days of a week, some of which share a letter.
          key={at}
          className={cn(
            "grid h-9 place-items-center rounded-control font-semibold text-meta",
            at < 4 ? "bg-green-soft text-green" : "bg-brand text-on-brand",
          )}
        >
          {day}
        </span>
      ))}
    </div>
  );
}
