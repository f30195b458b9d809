import { pgTable, uuid } from "drizzle-orm/pg-core";
import { users } from "./auth";
import { instant } from "./columns";

/** Up to which moment a person has seen what happened, on whichever device; moves forward only. */
export const lastVisits = pgTable("last_visits", {
  userId: uuid()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  seenUpTo: instant().notNull(),
});
