import { useEffect, useState } from "react";

type Parts = typeof import("./start-page/overview-parts");
const load = () => import("./start-page/overview-parts");

/**
 * What start pages show once there is something to show: null until it is wanted and there. When it cannot be fetched, the page
 * stays without it until it is opened again. Not by `lazy`, for which the server draws no page.
 */
export function useParts(isWanted: boolean): Parts | null {
  const [parts, setParts] = useState<Parts | null>(null);
  useEffect(() => {
    if (isWanted) load().then(setParts, () => undefined);
  }, [isWanted]);
  return parts;
}
