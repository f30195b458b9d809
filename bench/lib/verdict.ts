import { parseArgs } from "node:util";
import { median, spread } from "./measure";

/** What a row has to reach, and what its numbers are: "of the floor's rate", "times the quiet p99", "ms". */
type Goal = { atLeast: number; unit: string } | { atMost: number; unit: string };

/** One line of the table that ends `npm run bench`. */
export interface Row {
  what: string;
  goal: Goal;
  /** One number for each round; none when it could not be measured. */
  values: readonly number[];
  /** Why there are none. */
  missing?: string;
}

/** Prints a row with its goal and verdict, and passes it on to the table. The median decides. */
export function judge({ what, goal, values, missing = "not measured" }: Row): void {
  const limit = "atLeast" in goal ? `at least ${goal.atLeast}` : `at most ${goal.atMost}`;
  const measured = values.length > 0 ? spread(values) : missing;
  const verdict = values.length > 0 ? verdictOn(goal, values) : "-";
  console.log(`=> ${what}: ${measured} ${goal.unit}; goal: ${limit}: ${verdict}`);
  process.send?.({ what, goal: `${limit} ${goal.unit}`, measured, verdict });
}

/** Why a row that compares with another version has no numbers. */
export const NEEDS_AGAINST = "needs --against";

/** The other built checkout to compare with (`--against`); null without one. */
export function otherCheckout(): string | null {
  const { values } = parseArgs({ options: { against: { type: "string" } }, strict: false });
  return typeof values.against === "string" ? values.against : null;
}

function verdictOn(goal: Goal, values: readonly number[]): string {
  const isMet = (value: number) => ("atLeast" in goal ? value >= goal.atLeast : value <= goal.atMost);
  const isMetByMedian = isMet(median(values));
  const isClear = values.every((value) => isMet(value) === isMetByMedian);
  return `${isMetByMedian ? "met" : "missed"}${isClear ? "" : ", but not in every round"}`;
}
