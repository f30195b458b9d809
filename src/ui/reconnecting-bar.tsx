import { CloudOff } from "lucide-react";

type ReconnectingBarProps = { active: boolean };

/** A quiet line at the top while live events do not come. What is on the screen stays usable. */
export function ReconnectingBar({ active }: ReconnectingBarProps) {
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-2 z-40 flex justify-center px-4">
      {active && (
        <p className="flex items-center gap-2 rounded-pill bg-raised px-3 py-1.5 font-medium text-dense text-ink2 shadow-2">
          <CloudOff aria-hidden="true" size={16} strokeWidth={1.75} className="text-orange" />
          Reconnecting
        </p>
      )}
    </div>
  );
}
