import { Check } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { cn } from "@/lib/cn";
import { useFieldControl } from "./field-context";
import { useSteady } from "./steady";

type CheckboxInputProps = Omit<ComponentProps<"input">, "type"> & {
  /** "done" is green, for finished things; "choice" is the brand colour. */
  tone?: "choice" | "done" | undefined;
};

/** The 20 px native box alone: name it with `aria-label` or a `<label>`. */
export function CheckboxInput({ tone = "choice", className, ...rest }: CheckboxInputProps) {
  const control = useFieldControl(rest);
  return (
    <span className={cn("relative inline-grid size-5 shrink-0", className)}>
      <input
        {...rest}
        {...control}
        type="checkbox"
        className={cn(
          "check peer size-5 appearance-none rounded-check border-[1.5px] border-line-strong bg-field",
          "transition-colors duration-90 ease-out before:absolute before:-inset-3 before:content-[''] aria-invalid:border-red",
          tone === "done" ? "checked:border-green checked:bg-green" : "checked:border-line-strong checked:bg-brand",
        )}
      />
      <Check
        size={14}
        className={cn(
          "pointer-events-none absolute start-[3px] top-[3px] hidden stroke-[2.5] peer-checked:block",
          tone === "done" ? "text-raised" : "text-on-brand",
        )}
      />
    </span>
  );
}

type CheckboxProps = CheckboxInputProps & { label: ReactNode; error?: string | undefined };

/** A box with its label; the whole 44 px row answers. The label may hold links. */
export function Checkbox({ label, error: latestError, className, ...rest }: CheckboxProps) {
  const error = useSteady(latestError);
  const ownId = useId();
  const id = rest.id ?? ownId;
  const errorId = `${id}-error`;
  return (
    <div className={className}>
      <label htmlFor={id} className="flex min-h-11 items-center gap-2.5 py-1 text-body pointer-fine:min-h-8">
        <CheckboxInput
          {...rest}
          id={id}
          aria-invalid={error ? true : rest["aria-invalid"]}
          aria-describedby={error ? errorId : rest["aria-describedby"]}
        />
        <span>{label}</span>
      </label>
      {error && (
        <p id={errorId} className="text-dense text-red">
          {error}
        </p>
      )}
    </div>
  );
}
