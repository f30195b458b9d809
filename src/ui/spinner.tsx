import { LoaderCircle } from "lucide-react";

/**
 * A turning circle for a control that is at work; regions use skeletons instead. Where it only keeps its place, invisible, it
 * must not be `turning`: an animation costs every frame of the page, seen or not.
 */
export function Spinner({ turning = true }: { turning?: boolean }) {
  return <LoaderCircle size={16} className={turning ? "animate-spin" : undefined} />;
}
