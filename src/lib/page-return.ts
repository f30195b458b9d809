import type { RegisteredRouter } from "@tanstack/react-router";
import { endSession, whenEnded } from "./session";
import { reconnect, suspend } from "./trpc";

/**
 * A page that the browser keeps whole while another is shown (bfcache) may come back by Back after its session has ended. It
 * goes away veiled, and is shown again only once the server has said that it is still the same person's.
 */
export function guardReturn(router: RegisteredRouter): void {
  addEventListener("pagehide", ({ persisted }) => {
    // Browsers keep no page with an open socket.
    suspend();
    if (persisted) veil(true);
  });
  addEventListener("pageshow", ({ persisted }) => persisted && void check(router));
}

async function check(router: RegisteredRouter): Promise<void> {
  const { api, queryClient } = router.options.context;
  const before = api.auth.me.getData()?.id ?? null;
  // A refusal ends the session by itself.
  const answer = await api.auth.me.fetch(undefined, { staleTime: 0 }).catch(() => undefined);
  await whenEnded();
  if (api.auth.me.getData() && answer?.id !== before) {
    // Without an answer nothing is known: it is loaded anew, as if the browser had not kept it.
    if (answer) await endSession(router);
    location.reload();
    return;
  }
  veil(false);
  await reconnect();
  await queryClient.invalidateQueries();
}

function veil(isVeiled: boolean): void {
  document.documentElement.style.visibility = isVeiled ? "hidden" : "";
}
