import { CloudCheck, CloudOff, CloudSync } from "lucide-react";
import { type ConnectionLight as Light, useConnectionLight } from "@/lib/connection-light";
import { formatInstant } from "@/lib/format";

const FACES = {
  lost: { icon: CloudOff, tone: "text-orange" },
  "catching-up": { icon: CloudSync, tone: "text-ink3" },
  "caught-up": { icon: CloudCheck, tone: "text-green" },
};

/** A quiet line at the top while live events do not come, and until what was missed is there. What is on the screen stays usable. */
export function ConnectionLight() {
  const light = useConnectionLight();
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-2 z-40 flex justify-center px-4">
      {light.phase !== "calm" && <Pill light={light} face={FACES[light.phase]} />}
    </div>
  );
}

function Pill({ light, face: { icon: Icon, tone } }: { light: Light; face: (typeof FACES)[keyof typeof FACES] }) {
  return (
    <p className="flex items-center gap-2 rounded-pill bg-raised px-3 py-1.5 font-medium text-dense text-ink2 shadow-2">
      <Icon aria-hidden="true" size={16} strokeWidth={1.75} className={tone} />
      {wordsOf(light)}
    </p>
  );
}

function wordsOf(light: Light): string {
  if (light.phase === "lost") return `Reconnecting since ${formatInstant(new Date(light.since))}`;
  return light.phase === "catching-up" ? "Catching up" : "Caught up";
}
