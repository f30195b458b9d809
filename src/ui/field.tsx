import { CircleAlert } from "lucide-react";
import { type ReactNode, useId, useMemo } from "react";
import { cn } from "@/lib/cn";
import { FieldContext } from "./field-context";
import { useSteady } from "./steady";

type FieldProps = {
  label: ReactNode;
  /** Small word after the label, such as "optional". */
  mark?: string | undefined;
  hint?: ReactNode;
  /** The message under the control; while it is there the control is invalid. */
  error?: string | undefined;
  required?: boolean | undefined;
  /** Keeps the label for assistive technology only. */
  hideLabel?: boolean | undefined;
  /** Sits at the right end of the label's line, such as a link. */
  aside?: ReactNode;
  className?: string | undefined;
  /** One control of ours: TextInput, PasswordInput, TextArea, Select, ChipsCombobox. */
  children: ReactNode;
};

/**
 * Label, control, hint and error, wired together: the control finds its id and ARIA attributes by context. Hint and error never
 * change while a pointer is pressed: what is below them stays under it.
 */
export function Field({
  label,
  mark,
  required = false,
  hideLabel = false,
  aside,
  className,
  children,
  ...messages
}: FieldProps) {
  const { hint, error } = useSteady(messages);
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [error && errorId, hint && hintId].filter(Boolean).join(" ") || undefined;
  const invalid = Boolean(error);
  const control = useMemo(() => ({ id, describedBy, invalid, required }), [id, describedBy, invalid, required]);
  return (
    <div className={cn("flex min-w-0 flex-col gap-1.5", className)}>
      <div className={hideLabel ? "sr-only" : "flex items-baseline justify-between gap-3"}>
        <label id={`${id}-label`} htmlFor={id} className="font-medium text-dense">
          {label}
          {mark && <span className="font-normal text-ink3"> {mark}</span>}
        </label>
        {aside}
      </div>
      <FieldContext value={control}>{children}</FieldContext>
      {error && (
        <p id={errorId} className="flex items-start gap-1.5 text-dense text-red">
          <CircleAlert size={14} className="mt-0.5 shrink-0" />
          {error}
        </p>
      )}
      {hint && (
        <p id={hintId} className="text-ink3 text-meta">
          {hint}
        </p>
      )}
    </div>
  );
}
