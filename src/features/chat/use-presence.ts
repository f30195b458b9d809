import { skipToken } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { connectionState, watchConnection } from "@/lib/connection";
import { trpc } from "@/lib/trpc";
import { forgetPresence, receivePresence } from "./presence-store";

/** A glance at another tab is no leaving. */
const AWAY_AFTER_MS = 5_000;

/** Counts the person as present while this page can be seen, and hears who else is. */
export function usePresence(): void {
  const isHere = useIsHere();
  trpc.chat.onPresence.useSubscription(isHere ? undefined : skipToken, { onData: receivePresence });
  useEffect(() => {
    if (!isHere) return;
    const stop = watchConnection(() => connectionState() !== "open" && forgetPresence());
    return () => {
      stop();
      forgetPresence();
    };
  }, [isHere]);
}

function useIsHere(): boolean {
  const [isHere, setHere] = useState(isVisible);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    function follow(): void {
      clearTimeout(timer);
      if (isVisible()) setHere(true);
      else timer = setTimeout(() => setHere(false), AWAY_AFTER_MS);
    }
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", follow);
    };
  }, []);
  return isHere;
}

function isVisible(): boolean {
  return document.visibilityState === "visible";
}
