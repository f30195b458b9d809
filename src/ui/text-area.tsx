import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";
import { useFieldControl } from "./field-context";
import { inputStyle } from "./input-style";

/** Several lines; grows with its text up to about ten where the browser can. Spread `register("name")` on it. */
export function TextArea({ className, rows = 3, ...rest }: ComponentProps<"textarea">) {
  const control = useFieldControl(rest);
  return (
    <textarea
      {...rest}
      {...control}
      rows={rows}
      className={cn(inputStyle, "field-sizing-content max-h-60 min-h-16 resize-y py-2", className)}
    />
  );
}
