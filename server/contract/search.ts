import * as z from "zod/mini";
import { asClientKey, textSchema } from "./text";

/** What somebody looks for, in every kind of thing at once. */
export const searchSchema = z.strictObject({
  q: textSchema({ max: 200, required: "Type what you are looking for.", label: "Search" }),
  ...asClientKey,
});
