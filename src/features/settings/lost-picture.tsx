import { USER_MESSAGES } from "@server/contract/messages/users";
import { useEffect, useEffectEvent } from "react";
import { toast } from "@/ui/toast";
import { useSetPhoto } from "./use-settings";

/** Tells the person once that a link to another host is not shown as their picture any more. Draws nothing. */
export function LostPicture() {
  const { mutate } = useSetPhoto();
  const announceOnce = useEffectEvent(() => {
    toast.error(USER_MESSAGES.pictureLost, { description: USER_MESSAGES.pictureLostRemedy, about: "lost picture" });
    mutate({ fileId: null });
  });
  useEffect(() => announceOnce(), []);
  return null;
}
