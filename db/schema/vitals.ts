import { bigint, doublePrecision, index, pgEnum, pgTable, text } from "drizzle-orm/pg-core";
import { VITALS } from "../enums";
import { instant } from "./columns";

export const vitalEnum = pgEnum("vital", VITALS);

/** How fast pages were for those who opened them, for some weeks. Whose they were is not kept. */
export const webVitals = pgTable(
  "web_vitals",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    at: instant().notNull().defaultNow(),
    /** A known path without its search, such as `/dashboard`. */
    route: text().notNull(),
    vital: vitalEnum().notNull(),
    /** Milliseconds; of CLS the score. */
    value: doublePrecision().notNull(),
  },
  (t) => [index("web_vitals_at_idx").on(t.at)],
);
