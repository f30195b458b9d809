import type { Request } from "@server/contract/views";

const DECISIONS: Partial<Record<Request["status"], string>> = {
  accepted: "accepted it",
  declined: "declined it",
  duplicate: "marked it as a duplicate",
};

/** "Vikram Menon has already accepted it."; null while it waits, or when nobody is known to have decided. */
export function describeDecision({ status, decidedBy, people }: Request): string | null {
  const decision = DECISIONS[status];
  const decider = people.find(({ id }) => id === decidedBy);
  return decision && decider ? `${decider.name} has already ${decision}.` : null;
}
