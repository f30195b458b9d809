import * as z from "zod/mini";
import { describeSchema } from "./text";
import { isWebUrl } from "./web-url";

/** The check of a link; the example is one that would be right. */
export function webUrl(example: string) {
  return z.refine<string>(isWebUrl, {
    error: ({ input }) =>
      /^https?:\/\/[^/?#]*@/i.test(String(input))
        ? "Leave out the user name and password."
        : `Enter a full URL, such as ${example}`,
  });
}

/** An absolute http(s) link. */
export const webLinkSchema = describeSchema(
  z.string({ error: "Enter a full URL, such as https://example.com" }).check(z.trim(), webUrl("https://example.com")),
  { format: "uri", maxLength: 2048, pattern: "^\\s*https?://" },
);
