import { useEffect, useRef, useState } from "react";
import { cn } from "@/lib/cn";
import { COUNTERS } from "./content/landing";

/** Spec 9. */
const RUN_MS = 1_000;

/** The three figures of the Goal section. They count up once, when half of them is in view. */
export function Counters({ className }: { className?: string }) {
  return (
    <dl
      className={cn(
        "grid grid-cols-[max-content_1fr_1fr] gap-x-8 border-line border-y py-6 sm:grid-cols-3 md:py-8",
        className,
      )}
    >
      {COUNTERS.map((counter) => (
        <div key={counter.caption} className="flex flex-col-reverse justify-end">
          <dt className="mt-1 text-dense text-ink2 sm:text-body">{counter.caption}</dt>
          <dd className="font-semibold text-[1.625rem]/8 tracking-[-0.03em] sm:text-[2.75rem]/12">
            <Figure value={counter.figure} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Screen readers get the final figure; the running one is hidden from them. */
function Figure({ value }: { value: number }) {
  const picture = useRef<HTMLSpanElement>(null);
  const [shown, setShown] = useState(value);
  useEffect(() => {
    const element = picture.current;
    if (!element || window.matchMedia("(prefers-reduced-motion: reduce)").matches) return undefined;
    let frame = 0;
    const watcher = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        watcher.disconnect();
        const startedAt = performance.now();
        const run = (now: number) => {
          const share = Math.min(1, Math.max(0, now - startedAt) / RUN_MS);
          setShown(Math.round(value * (1 - (1 - share) ** 3)));
          if (share < 1) frame = requestAnimationFrame(run);
        };
        frame = requestAnimationFrame(run);
      },
      { threshold: 0.5 },
    );
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [value]);
  return (
    <>
      <span ref={picture} aria-hidden="true" className="inline-block min-w-[4ch]">
        {formatValue(shown)}
      </span>
      <span className="sr-only">{formatValue(value)}</span>
    </>
  );
}

function formatValue(value: number): string {
  return `${value.toLocaleString("en-GB")}+`;
}
