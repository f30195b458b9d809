import { LoaderCircle } from "lucide-react";

/** A turning circle for a control that is at work; regions use skeletons instead. */
export function Spinner() {
  return <LoaderCircle aria-hidden="true" size={16} strokeWidth={1.75} className="animate-spin" />;
}
