import type { TURN_SIDES } from "@db/client-enums";

/** Who owes the next move, and for how long already. */
export interface Turn {
  owes: (typeof TURN_SIDES)[number];
  /** The moment of the first thing that was not answered; null: nobody owes anything. */
  since: string | null;
  /** How much business time has passed since, in minutes and in whole business days. */
  businessMinutes: number;
  businessDays: number;
  /** By when the firm has promised its move: one business day after `since`. Null unless the firm owes it, and of changes that a client wants: nobody promises a time for those. */
  answerBy: string | null;
  /** How the time goes on, for a page that stays open; the same for all of a business day. Null: nobody owes anything. */
  clock: TurnClock | null;
}

/** After `minutesBefore`, business time runs from `runsFrom` until `runsUntil`, the end of the business day that is now or comes next. */
export interface TurnClock {
  minutesBefore: number;
  runsFrom: string;
  runsUntil: string;
  minutesPerDay: number;
}
