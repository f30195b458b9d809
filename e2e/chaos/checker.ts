import { checkAtRest, checkRest } from "./check-at-rest";
import { checkDiscussions } from "./check-discussions";
import { checkRows } from "./check-rows";
import { checkScreens } from "./check-screens";
import type { History, Rows, Violation } from "./history";

/** Every promise that a round broke, judged by its history alone. One that never came to rest is late, and is not compared. */
export function check(history: History): Violation[] {
  const atRest = history.entries.filter((entry) => entry.type === "at-rest");
  const rows: Rows | undefined = atRest.at(-1)?.rows;
  if (!rows) return [{ kind: "late", detail: "nothing was compared: the round did not come to its end" }];
  // Rows that were read before all was stored prove no loss: what was acknowledged afterwards is not in them.
  const unrested = atRest.find(({ isAtRest }) => !isAtRest);
  if (unrested) return [checkRest(history, unrested), ...checkCapacity(history)];
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
