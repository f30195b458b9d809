import { cva, type VariantProps } from "class-variance-authority";

/**
 * The look of a button, for `<button>` and for links that read as one: `<Link className={buttonStyle({ variant })}>`.
 * 44 px high on touch, 36 with a mouse. One primary per view.
 */
export const buttonStyle = cva(
  [
    "inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-control border",
    "font-medium transition-colors duration-90 ease-out",
    "aria-disabled:opacity-65 disabled:opacity-65",
    "[&_svg]:shrink-0",
  ],
  {
    variants: {
      variant: {
        primary: "border-transparent bg-brand text-on-brand not-aria-disabled:hover:bg-brand-hover",
        secondary: "border-line bg-raised text-ink not-aria-disabled:hover:bg-hover",
        quiet: "border-transparent text-ink2 not-aria-disabled:hover:bg-hover not-aria-disabled:hover:text-ink",
        tonal:
          "border-transparent bg-green-soft text-green not-aria-disabled:hover:border-green/40 not-aria-disabled:active:border-green",
        danger: "border-transparent text-red not-aria-disabled:hover:bg-red-soft",
        "danger-solid": "border-transparent bg-red-solid text-on-red not-aria-disabled:hover:brightness-92",
      },
      size: {
        sm: "h-11 px-3 text-body pointer-fine:h-8 pointer-fine:text-dense",
        md: "h-11 px-3.5 text-body pointer-fine:h-9",
        lg: "h-[46px] px-5 text-reading",
      },
      wide: { true: "w-full", false: "" },
    },
    defaultVariants: { variant: "secondary", size: "md", wide: false },
  },
);

/** The choices `buttonStyle` takes. */
export type ButtonStyleProps = VariantProps<typeof buttonStyle>;
