import type { Subject } from "@server/contract/subjects";
import { Bell, BellRing } from "lucide-react";
import { Button } from "@/ui/button";
import { useFollow, useFollowing } from "./use-notification-actions";

type FollowButtonProps = {
  subject: Subject;
  /** "icon": on a phone only the bell. */
  size?: "full" | "icon";
};

/** "Follow", or "Following": whether one is notified of comments on a project or a task, and of the status of a project. */
export function FollowButton({ subject, size = "full" }: FollowButtonProps) {
  const isFollowing = useFollowing(subject);
  const follow = useFollow(subject);
  const Icon = isFollowing ? BellRing : Bell;
  return (
    <Button
      variant="quiet"
      size="sm"
      aria-pressed={isFollowing ?? false}
      // Wide enough for either word, so that nothing beside it moves.
      className={size === "icon" ? "max-sm:px-3 sm:min-w-28" : "min-w-28"}
      // Before it is known it says "Follow", and does.
      onClick={() => follow.mutate({ subject, following: !isFollowing })}
    >
      <Icon size={16} aria-hidden="true" />
      <span className={size === "icon" ? "max-sm:sr-only" : undefined}>{isFollowing ? "Following" : "Follow"}</span>
    </Button>
  );
}
