import { type ComponentType, lazy } from "react";

type Parts = typeof import("./start-page/overview-parts");

/*
 * What start pages show once there is something to show. The server draws it with the page; in the browser the code follows, and
 * only on pages that have any of it.
 */
export const SinceSentence = part((parts) => parts.SinceSentence);
export const ChangesLayer = part((parts) => parts.ChangesLayer);
export const WaitingList = part((parts) => parts.WaitingList);

function part<Props>(pick: (parts: Parts) => ComponentType<Props>) {
  return lazy<ComponentType<Props>>(() =>
    import("./start-page/overview-parts").then(
      (parts) => ({ default: pick(parts) }),
      // Without its code a page goes on without the part.
      () => ({ default: () => null }),
    ),
  );
}
