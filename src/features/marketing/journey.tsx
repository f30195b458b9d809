import { cn } from "@/lib/cn";
import { JOURNEY } from "./content/careers";

/** Three steps on the thread: side by side from 768 on, one under the other below. */
export function Journey() {
  return (
    <ol className="grid gap-y-8 md:grid-cols-3 md:gap-x-8">
      {JOURNEY.steps.map((step, at) => (
        <li key={step.name} className="relative ps-10 md:ps-0 md:pt-12">
          {at < JOURNEY.steps.length - 1 && (
            <span
              aria-hidden="true"
              className="thread-fill absolute start-[12px] top-4 -bottom-8 w-[3px] rounded-pill bg-brand md:start-6 md:-end-8 md:top-[11px] md:bottom-auto md:h-[3px] md:w-auto"
            />
          )}
          <span
            aria-hidden="true"
            className={cn(
              "absolute start-0 top-0 grid size-[26px] place-items-center rounded-pill border-[3px] border-brand font-semibold text-meta",
              at < JOURNEY.steps.length - 1 ? "bg-canvas" : "bg-brand text-on-brand",
            )}
          >
            {at + 1}
          </span>
          <h3 className="text-h3">{step.name}</h3>
          <p className="mt-2 max-w-[40ch] text-ink2 text-reading">{step.text}</p>
        </li>
      ))}
    </ol>
  );
}
