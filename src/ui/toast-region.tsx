import { type ComponentType, useEffect, useState } from "react";
import { onFirstToast } from "./toast";

/** Where toasts appear. Light: the toaster itself is fetched with the first toast. Mount it once, outside the routes. */
export function ToastRegion() {
  const [Toaster, setToaster] = useState<ComponentType | null>(null);
  useEffect(
    () =>
      onFirstToast(() => {
        void import("./toaster").then((module) => setToaster(() => module.Toaster));
      }),
    [],
  );
  return Toaster && <Toaster />;
}
