import { useEffect, useState, useSyncExternalStore } from "react";
import { registerLiveSync, useLiveSync } from "@/lib/live-sync";
import { forgetPresence, receivePresence } from "./presence-store";

/** A glance at another tab does not count as leaving. */
const AWAY_AFTER_MS = 5_000;

registerLiveSync("presence", {
  queries: [],
  receive(event) {
    receivePresence(event);
    return [];
  },
  interrupt: forgetPresence,
});

/** Marks the person as present while this tab is visible, and follows who else is. */
export function usePresence(): void {
  const isHere = useIsHere();
  useLiveSync("presence", { enabled: isHere });
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
  return typeof document === "undefined" || document.visibilityState === "visible";
}

/** Whether somebody is looking at this tab: it is visible and its window has the focus. */
export function useAttention(): boolean {
  return useSyncExternalStore(watchAttention, isAttentive, () => true);
}

/** As `useAttention`, at this moment. */
export function isAttentive(): boolean {
  return document.visibilityState === "visible" && document.hasFocus();
}

function watchAttention(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  addEventListener("focus", listener);
  addEventListener("blur", listener);
  return () => {
    document.removeEventListener("visibilitychange", listener);
    removeEventListener("focus", listener);
    removeEventListener("blur", listener);
  };
}
