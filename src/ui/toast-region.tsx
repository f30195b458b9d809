import { type ComponentType, useEffect, useState } from "react";
import { announce } from "./announce";
import { onFirstToast, waitingTitles } from "./toast";

/** Where toasts appear. Light: the toaster itself is fetched with the first toast. Mount it once, outside the routes. */
export function ToastRegion() {
  const [Toaster, setToaster] = useState<ComponentType | null>(null);
  useEffect(
    () =>
      onFirstToast(() => {
        import("./toaster").then(
          (module) => setToaster(() => module.Toaster),
          // Offline, or a deploy under an open page: the words at least are spoken and shown by the next try.
          () => announce(waitingTitles()),
        );
      }),
    [],
  );
  return Toaster && <Toaster />;
}
