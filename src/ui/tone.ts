/** The five meanings a colour can have. Always with an icon shape and a word beside it. */
export type Tone = "grey" | "green" | "blue" | "orange" | "red";

/** Soft fill with its own ink. */
export const TONE_FILL: Record<Tone, string> = {
  grey: "bg-grey-soft text-grey",
  green: "bg-green-soft text-green",
  blue: "bg-blue-soft text-blue",
  orange: "bg-orange-soft text-orange",
  red: "bg-red-soft text-red",
};

/** A dot in that colour, beside a word. */
export const TONE_DOT: Record<Tone, string> = {
  grey: "bg-grey",
  green: "bg-green",
  blue: "bg-blue",
  orange: "bg-orange",
  red: "bg-red",
};
