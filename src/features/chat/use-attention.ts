import { useSyncExternalStore } from "react";

/** Whether somebody looks at this tab: it is visible and its window has the focus. */
export function useAttention(): boolean {
  return useSyncExternalStore(watchAttention, isAttentive);
}

/** The same, at this moment. */
export function isAttentive(): boolean {
  return document.visibilityState === "visible" && document.hasFocus();
}

function watchAttention(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  window.addEventListener("focus", listener);
  window.addEventListener("blur", listener);
  return () => {
    document.removeEventListener("visibilitychange", listener);
    window.removeEventListener("focus", listener);
    window.removeEventListener("blur", listener);
  };
}
