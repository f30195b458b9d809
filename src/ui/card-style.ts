import { cva } from "class-variance-authority";

/** The look of a card: `raised` with a line in dark and a soft shadow in light; "selected" is the brand ring. */
export const cardStyle = cva("rounded-card bg-raised shadow-1", {
  variants: {
    selected: { true: "outline-2 outline-ring -outline-offset-1", false: "" },
    pad: { true: "p-4", false: "" },
  },
  defaultVariants: { selected: false, pad: true },
});
