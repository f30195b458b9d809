import { CloudCheck, CloudOff, CloudSync } from "lucide-react";
import { cn } from "@/lib/cn";
import { type ConnectionLight as Light, useConnectionLight } from "@/lib/connection-light";
import { formatTime } from "@/lib/format";

const FACES = {
  lost: { icon: CloudOff, tone: "text-orange", text: "Reconnecting" },
  "catching-up": { icon: CloudSync, tone: "text-ink3", text: "Catching up" },
  "caught-up": { icon: CloudCheck, tone: "text-green", text: "Caught up" },
};

/**
 * A quiet line while live events do not come, and until what was missed is there: over the brand of the sidebar, in the rail
 * by its sign alone, and on a phone above what one presses or writes in at the bottom, beside "+ New Project". It covers no name and no
 * control, and takes no press.
 */
export function ConnectionLight() {
  const light = useConnectionLight();
  return (
    <div
      role="status"
      className={cn(
        "pointer-events-none fixed z-40 flex md:justify-center",
        "max-md:inset-x-0 max-md:bottom-[calc(72px+env(safe-area-inset-bottom))] max-md:px-4",
        "md:start-0 md:top-3.5 md:w-[var(--sidebar-width)] md:px-2",
      )}
    >
      {light.phase !== "calm" && <Pill light={light} face={FACES[light.phase]} />}
    </div>
  );
}

function Pill({ light, face: { icon: Icon, tone, text } }: { light: Light; face: (typeof FACES)[keyof typeof FACES] }) {
  return (
    <p className="flex min-h-8 items-center gap-2 rounded-pill bg-raised px-3 py-1.5 font-medium text-dense text-ink2 shadow-2 rail:px-2">
      <Icon size={16} className={cn("shrink-0", tone)} />
      <span className="rail:sr-only">
        {text}
        {light.phase === "lost" && (
          // The narrowest phones have no room for it.
          <span className="max-[359px]:sr-only"> since {formatTime(new Date(light.since))}</span>
        )}
      </span>
    </p>
  );
}
