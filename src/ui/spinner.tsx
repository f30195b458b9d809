import { LoaderCircle } from "lucide-react";

/** A turning circle for a control that is at work; regions use skeletons instead. */
export function Spinner() {
  return <LoaderCircle size={16} className="animate-spin" />;
}
