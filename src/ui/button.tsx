import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { cn } from "@/lib/cn";
import { type ButtonStyleProps, buttonStyle } from "./button-style";
import { Spinner } from "./spinner";

type ButtonProps = ComponentProps<"button"> &
  ButtonStyleProps & {
    /** At work: says `busyLabel`, shows a spinner, takes no further click or submit, keeps the focus. */
    busy?: boolean | undefined;
    /** What it says while busy. Always pass it, so that the width is reserved beforehand. */
    busyLabel?: string | undefined;
    icon?: ReactNode;
  };

/** A button. `type` is "button" unless you say "submit". */
export function Button({
  variant,
  size,
  wide,
  busy = false,
  busyLabel,
  icon,
  className,
  children,
  onClick,
  type = "button",
  ...rest
}: ButtonProps) {
  function handleClick(event: MouseEvent<HTMLButtonElement>): void {
    // Also stops the implicit submit of Enter, which arrives here as a click.
    if (busy || rest["aria-disabled"] === true) event.preventDefault();
    else onClick?.(event);
  }
  // The focus stays where one types: a phone keeps its keyboard, and Send is followed by the next message.
  const keepFocus = type === "submit" ? (event: MouseEvent) => event.preventDefault() : undefined;
  return (
    <button
      onMouseDown={keepFocus}
      {...rest}
      type={type}
      className={cn(buttonStyle({ variant, size, wide }), className)}
      aria-disabled={busy || rest["aria-disabled"]}
      onClick={handleClick}
    >
      {busyLabel === undefined ? (
        <>
          {busy ? <Spinner /> : icon}
          {children}
        </>
      ) : (
        <span className="grid">
          <span
            className={cn("col-start-1 row-start-1 inline-flex items-center justify-center gap-2", busy && "invisible")}
          >
            {icon}
            {children}
          </span>
          <span
            className={cn(
              "col-start-1 row-start-1 inline-flex items-center justify-center gap-2",
              !busy && "invisible",
            )}
          >
            <Spinner turning={busy} />
            {busyLabel}
          </span>
        </span>
      )}
    </button>
  );
}
