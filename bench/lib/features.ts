import { inTurns, SMALL_CALLS_WARM_UP_MS, spread } from "./measure";
import { judge } from "./verdict";

/** What belongs to a task besides its row, in the order in which the floor adds it. The project row has number, lock and totals. */
export const TASK_FEATURES = ["project row", "history", "assignee", "notification"] as const;
/** And to a message: number and lock, and what wakes its readers up. */
export const MESSAGE_FEATURES = ["conversation's row", "notification"] as const;
/** Of the floor's notifications that nobody reads anything upon. */
export const UNREAD_CHANNEL = "floor unread";

/**
 * What each feature of a call costs: the product's call beside the floor without any, with the first, with the first two, …, in one
 * run. The goal is for the call beside the floor that writes the same.
 */
export async function judgeFeatures(
  what: string,
  {
    features,
    subject,
    floor,
  }: {
    features: readonly string[];
    subject: () => Promise<number>;
    floor: (features: number) => Promise<number>;
  },
): Promise<void> {
  const steps = ["the bare insert", ...features.map((feature) => `+ ${feature}`)];
  const works = [subject, ...steps.map((_, count) => () => floor(count))];
  const [ours = [], ...floors] = await inTurns({ concurrency: 8, warmUpMs: SMALL_CALLS_WARM_UP_MS, works });
  const shares = (rates: readonly number[], of: readonly number[]) =>
    rates.map((rate, round) => rate / (of[round] ?? Number.NaN));
  for (const [at, step] of steps.entries()) {
    const [rates = [], before = []] = [floors[at], floors[at - 1]];
    const cost = at === 0 ? "" : `, ${spread(shares(rates, before))} of the step before`;
    console.log(
      `${what}: the floor with ${step}: ${spread(rates)}/s${cost}; the product ${spread(shares(ours, rates))} of it`,
    );
  }
  const goal = { atLeast: 0.75, unit: "of the floor's rate that writes the same" };
  judge({ what: `${what}, beside all its rows`, goal, values: shares(ours, floors.at(-1) ?? []) });
}
