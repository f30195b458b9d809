import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "@/lib/cn";
import { useFieldControl } from "./field-context";
import { inputStyle } from "./input-style";

type TextInputProps = ComponentProps<"input"> & {
  /** Drawn inside, at the start. */
  icon?: LucideIcon | undefined;
  /** Drawn inside, at the end, such as a key hint or a button. */
  end?: ReactNode;
};

/** A one-line input of any text-like `type` (text, email, tel, url, date, search). Spread `register("name")` on it. */
export function TextInput({ icon: Icon, end, className, ...rest }: TextInputProps) {
  const control = useFieldControl(rest);
  const input = (
    <input
      type="text"
      {...rest}
      {...control}
      className={cn(
        inputStyle,
        "h-11 pointer-fine:h-[38px]",
        Icon && "ps-9",
        end && "pe-11",
        !Icon && !end && className,
      )}
    />
  );
  if (!Icon && !end) return input;
  return (
    <span className={cn("relative block min-w-0", className)}>
      {Icon && <Icon size={16} className="pointer-events-none absolute start-2.5 top-1/2 -translate-y-1/2 text-ink2" />}
      {input}
      {end && <span className="absolute end-1 top-1/2 inline-flex -translate-y-1/2 items-center">{end}</span>}
    </span>
  );
}

/** For an email address: the keyboard for it on a phone, no capitals and no corrections. */
export function EmailInput(props: TextInputProps) {
  return (
    <TextInput
      type="email"
      autoComplete="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}
