import { checkAtRest } from "./check-at-rest";
import { checkDiscussions } from "./check-discussions";
import { checkRows } from "./check-rows";
import { checkScreens } from "./check-screens";
import type { History, Rows, Violation } from "./history";

/** Every promise that a round broke, judged by its history alone. A history that never came to rest or has no rows fails too. */
export function check(history: History): Violation[] {
  const atRest = history.entries.filter((entry) => entry.type === "at-rest");
  const rows: Rows | undefined = atRest.at(-1)?.rows;
  if (!rows) return [{ kind: "late", detail: "nothing was compared: the round did not come to its end" }];
  return [
    ...checkRows(history, rows),
    ...checkScreens(history, rows),
    ...checkDiscussions(history, rows),
    ...checkCapacity(history),
    ...atRest.flatMap((moment) => checkAtRest(history, moment)),
  ];
}

/** After losing connections a server's pool is whole again. */
function checkCapacity({ entries }: History): Violation[] {
  return entries.flatMap((entry): Violation[] => {
    if (entry.type !== "capacity" || entry.serving >= entry.wanted) return [];
    return [{ kind: "capacity", detail: `${entry.serving} of ${entry.wanted} connections served at ${entry.at}` }];
  });
}
