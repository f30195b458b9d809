import * as z from "zod/mini";
import { MESSAGES } from "../contract/messages";

const { validation } = MESSAGES;
const TYPE_SENTENCES = new Map<string, string>(Object.entries(validation.types));

/*
 * The sentence for whatever a schema refuses without one of its own: the library's name types and parsers. Set here once, for
 * every schema of the process.
 */
z.config({ customError: sentenceOf });

function sentenceOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.expected === "object" || issue.expected === "record") return validation.object;
      if (issue.input === undefined) return validation.missing;
      return TYPE_SENTENCES.get(issue.expected) ?? validation.misshapen;
    case "invalid_value":
      return issue.input === undefined ? validation.missing : validation.oneOf(issue.values.map(String));
    case "too_small":
      return limitSentence(issue.origin, issue.minimum, "min");
    case "too_big":
      return limitSentence(issue.origin, issue.maximum, "max");
    case "unrecognized_keys":
      return validation.unknownField;
    case "invalid_format":
      return issue.format === "uuid" ? validation.malformedId : validation.misshapen;
    default:
      return validation.misshapen;
  }
}

function limitSentence(origin: string, limit: number | bigint, side: "min" | "max"): string {
  const written = limit.toLocaleString("en-GB");
  if (origin === "string") return validation[`${side}Length`](written);
  return origin === "array" ? validation[`${side}Items`](written) : validation[side](written);
}
