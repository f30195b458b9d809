import { CircleCheck } from "lucide-react";
import { cn } from "@/lib/cn";
import { Chip } from "@/ui/chip";

/** Widths of the drawn lines of code, in percent, with the indent of each; "+" is a line that was added. */
const LINES = [
  { indent: 0, parts: [22, 34], sign: "" },
  { indent: 6, parts: [30, 18, 12], sign: "" },
  { indent: 6, parts: [16, 40], sign: "-" },
  { indent: 6, parts: [16, 26, 22], sign: "+" },
  { indent: 12, parts: [34, 14], sign: "+" },
  { indent: 6, parts: [24, 9], sign: "" },
  { indent: 0, parts: [8], sign: "" },
] as const;

const FILL = { "": "", "-": "bg-red-soft", "+": "bg-green-soft" };
const INK = { "": "bg-line", "-": "bg-red/35", "+": "bg-green/45" };

/** A first change to the code with its reviewer's comments. Decorative. */
export function ReviewArt({ className }: { className?: string }) {
  return (
    <div aria-hidden="true" className={cn("relative pt-6 pb-24 sm:pt-10 sm:pb-28", className)}>
      <svg
        viewBox="0 0 480 340"
        preserveAspectRatio="none"
        fill="none"
        aria-hidden="true"
        className="absolute inset-0 size-full"
      >
        <path
          d="M4 300c44 0 58-40 66-96 12-84 22-198 110-198 76 0 84 60 150 60 74 0 138-18 142 58 3 60-42 72-42 118"
          className="stroke-brand"
          strokeWidth="4.5"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <div className="relative ms-[7%] me-[9%] overflow-hidden rounded-card bg-raised shadow-2">
        <div className="flex items-center justify-between gap-3 border-line border-b px-4 py-3">
          <span className="truncate font-semibold">Show the tide beside each slot</span>
          <Chip tone="blue" icon={CircleCheck} label="Merged" />
        </div>
        <div className="py-3">
          {LINES.map(({ indent, parts, sign }) => (
            <div
              key={`${indent}-${parts.join()}-${sign}`}
              className={cn("flex h-6 items-center gap-2 px-4", FILL[sign])}
            >
              <span className="w-3 text-center font-medium text-ink2 text-meta">{sign}</span>
              <span style={{ width: `${indent}%` }} />
              {parts.map((width) => (
                <span key={width} className={cn("h-2 rounded-pill", INK[sign])} style={{ width: `${width}%` }} />
              ))}
            </div>
          ))}
        </div>
      </div>
      <div className="absolute end-0 bottom-9 flex max-w-[78%] gap-2.5 rounded-card bg-bubble p-3 text-bubble-ink shadow-2 sm:p-4">
        <span className="grid size-8 shrink-0 place-items-center rounded-avatar bg-raised font-semibold text-meta">
          AK
        </span>
        <span className="text-dense sm:text-body">Good. One name per idea, and it reads itself. Ship it.</span>
      </div>
    </div>
  );
}
