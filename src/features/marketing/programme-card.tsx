import type { Programme } from "@db/enums";
import { Check } from "lucide-react";
import type { MouseEvent } from "react";
import { buttonStyle } from "@/ui/button-style";
import type { PROGRAMMES } from "./content/careers";
import { UntilFound } from "./until-found";

type ProgrammeCardProps = {
  programme: (typeof PROGRAMMES)[number];
  onApply: (event: MouseEvent, programme: Programme) => void;
};

/** One programme: price, details on demand, and a link to the application. */
export function ProgrammeCard({ programme, onApply }: ProgrammeCardProps) {
  const { key, name, short, price, per, text, more } = programme;
  return (
    <li className="flex break-inside-avoid flex-col rounded-card bg-raised p-6 shadow-1 md:p-5 lg:p-6">
      <h3 className="text-h3 md:max-lg:text-lead">{name}</h3>
      <p className="mt-4 flex flex-wrap items-baseline gap-x-2 md:max-lg:flex-col">
        <span className="font-semibold text-[1.75rem]/9 tracking-[-0.03em]">{price}</span>
        <span className="text-ink2">{per}</span>
      </p>
      {/* Room for the longest: closed, the cards are equally high. */}
      <p className="mt-3 text-ink2 text-reading md:min-h-24 lg:min-h-18">{text}</p>
      <UntilFound
        labels={{ more: "Learn More", less: "Show Less" }}
        subject={short}
        beside={
          <a
            href={`/careers?programme=${key}#apply`}
            aria-label={`Apply, ${short}`}
            onClick={(event) => onApply(event, key)}
            className={buttonStyle()}
          >
            Apply
          </a>
        }
      >
        <ul className="flex flex-col gap-2.5 pt-4 pb-1 text-ink2">
          {more.map((point) => (
            <li key={point} className="flex gap-2.5">
              <Check size={16} className="stroke-2 mt-0.5 shrink-0 text-brand-text" />
              {point}
            </li>
          ))}
        </ul>
      </UntilFound>
    </li>
  );
}
