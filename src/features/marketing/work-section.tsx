import { Check, CircleDot } from "lucide-react";
import { Chip } from "@/ui/chip";
import { ProgressThread } from "@/ui/progress-thread";
import { WORK } from "./content/landing";
import { Section } from "./section";

/** How a client follows the work, with a drawing of what they see. */
export function WorkSection() {
  return (
    <Section id="work" title={WORK.title}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-center gap-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,480px)] lg:gap-16">
        <div>
          <p className="max-w-[54ch] text-reading sm:text-lead">{WORK.lead}</p>
          <ul className="mt-6 flex flex-col gap-3 text-ink2 text-reading">
            {WORK.points.map((point) => (
              <li key={point} className="flex gap-3">
                <Check size={18} className="stroke-2 mt-[3px] shrink-0 text-brand-text" />
                {point}
              </li>
            ))}
          </ul>
        </div>
        <Board />
      </div>
    </Section>
  );
}

/** Decorative: the section's text says the same. */
function Board() {
  const { project, done, total, commits } = WORK.drawing;
  return (
    <div aria-hidden="true" className="rounded-dialog bg-sunken p-4 sm:p-6 print:hidden">
      <div className="rounded-card bg-raised p-4 shadow-2">
        <div className="flex items-start justify-between gap-3">
          <p className="font-display font-semibold text-lead tracking-[-0.02em]">{project}</p>
          <Chip tone="green" icon={CircleDot} label="In Progress" />
        </div>
        <ProgressThread done={done} total={total} className="mt-4" />
      </div>
      <ol className="mt-5 ms-1">
        {commits.map((commit, at) => (
          <li key={commit.title} className="relative flex gap-3 pb-4 last:pb-0">
            {at < commits.length - 1 && (
              <span className="absolute start-[16px] top-[38px] bottom-[-2px] w-[2px] rounded-pill bg-brand" />
            )}
            <span className="grid size-[34px] shrink-0 place-items-center rounded-avatar bg-grey-soft font-semibold text-grey text-meta">
              {commit.author}
            </span>
            <span className="min-w-0">
              <span className="block truncate font-medium">{commit.title}</span>
              <span className="block text-dense text-ink2">{commit.when}</span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
