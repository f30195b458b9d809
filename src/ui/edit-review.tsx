import { History } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { cn } from "@/lib/cn";
import type { Review, Side } from "@/lib/use-edit-conflict";
import { Button } from "./button";
import { TONE_FILL } from "./tone";

type EditReviewProps<Values> = {
  /** One sentence: what was changed while it was being edited. */
  heading: string;
  /** A further sentence. */
  note: string;
  review: Review<Values>;
  labelOf: (field: keyof Values) => string;
  /** What a field says, to be read: names and labels instead of ids, never empty. */
  describe: (field: keyof Values, values: Values) => string;
  onChoose: (field: keyof Values, side: Side) => void;
  onLoadTheirs: () => void;
  onSaveMine: () => void;
  /** A button that saves what is chosen, where the form's own is far. */
  save?: ReactNode;
  className?: string | undefined;
};

/** Two edits met: what was taken over from the other one, and a choice for each field that both have changed. */
export function EditReview<Values>({ heading, note, review, save, className, ...props }: EditReviewProps<Values>) {
  const title = useRef<HTMLDivElement>(null);
  useEffect(() => {
    title.current?.focus({ preventScroll: true });
    title.current?.parentElement?.scrollIntoView({ block: "nearest" });
  }, []);
  const titleId = useId();
  const { labelOf, describe, onLoadTheirs, onSaveMine } = props;
  return (
    <section
      aria-labelledby={titleId}
      className={cn(
        "@container grid scroll-mt-4 gap-3 rounded-control p-3 text-body text-ink",
        TONE_FILL.orange,
        className,
      )}
    >
      <div ref={title} tabIndex={-1} id={titleId} className="flex items-start gap-2.5 outline-none">
        <History size={18} className="mt-px shrink-0" />
        <p className="min-w-0 [overflow-wrap:anywhere]">
          {heading} <span className="text-ink2">{note}</span>
        </p>
      </div>
      {review.taken.length > 0 && (
        <div className="text-dense text-ink">
          <p className="font-medium">Taken over from their version</p>
          <ul className="mt-0.5">
            {review.taken.map((field) => (
              <li key={String(field)} className="whitespace-pre-line [overflow-wrap:anywhere]">
                <span className="text-ink2">{labelOf(field)}:</span> {describe(field, review.theirs)}
              </li>
            ))}
          </ul>
        </div>
      )}
      {review.conflicts.map((field) => (
        <Choice key={String(field)} field={field} review={review} {...props} />
      ))}
      <div className="flex flex-wrap gap-2">
        {save}
        <Button size="sm" onClick={onSaveMine}>
          Save mine over it
        </Button>
        <Button size="sm" onClick={onLoadTheirs}>
          Load their version
        </Button>
      </div>
    </section>
  );
}

type ChoiceProps<Values> = Pick<EditReviewProps<Values>, "review" | "labelOf" | "describe" | "onChoose"> & {
  field: keyof Values;
};

function Choice<Values>({ field, review, labelOf, describe, onChoose }: ChoiceProps<Values>) {
  const name = useId();
  const isGiven = review.given.includes(field);
  const side = (value: Side, text: string) => (
    <label className="flex min-w-0 items-start gap-2.5 rounded-check bg-raised px-2.5 py-2 text-dense text-ink has-checked:outline-2 has-checked:outline-ring has-checked:-outline-offset-2">
      <input
        type="radio"
        name={name}
        checked={isGiven === (value === "theirs")}
        onChange={() => onChoose(field, value)}
        className="mt-px size-4 shrink-0 accent-(--brand-text)"
      />
      <span className="min-w-0 whitespace-pre-line [overflow-wrap:anywhere]">
        <span className="text-ink2">{value === "yours" ? "Yours:" : "Theirs:"}</span> {text}
      </span>
    </label>
  );
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-medium text-dense text-ink">{labelOf(field)}</legend>
      <div className="grid gap-1.5 @md:grid-cols-2">
        {side("yours", describe(field, review.typed.yours))}
        {side("theirs", describe(field, review.theirs))}
      </div>
    </fieldset>
  );
}
