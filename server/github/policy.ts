import { not, type SQL } from "drizzle-orm";
import { holds } from "../../db/expressions";
import { projects } from "../../db/schema";
import type { Actor } from "../core/context";

/** Projects that show the actor something of their commits: all but to clients. */
export function shownTo({ accountType }: Pick<Actor, "accountType">): SQL | undefined {
  return accountType === "client" ? not(holds(projects.commitMode, "hidden")) : undefined;
}

/** Projects whose commits the actor may read one by one: all but to clients. */
export function titlesShownTo({ accountType }: Pick<Actor, "accountType">): SQL | undefined {
  return accountType === "client" ? holds(projects.commitMode, "titles") : undefined;
}
