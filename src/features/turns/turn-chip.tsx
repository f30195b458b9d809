import type { Turn } from "@server/contract/views";
import { Clock } from "lucide-react";
import { useAtMinute } from "@/lib/use-at-minute";
import { Chip } from "@/ui/chip";
import { describeTurn, isPastDay, type TurnReader } from "./turn-text";

type TurnChipProps = { turn: Turn; reader: TurnReader; className?: string | undefined };

/** "Waiting for us · 5 h", for a client "We answer by Monday 17:00". Its age goes on by itself; orange only for the firm. */
export function TurnChip({ turn, reader, className }: TurnChipProps) {
  const label = useAtMinute((now) => describeTurn(turn, { reader, now }));
  const isOwedLate = useAtMinute((now) => reader.side === "firm" && turn.answerBy !== null && isPastDay(turn, now));
  if (label === null) return null;
  const tone = isOwedLate ? "orange" : turn.owes === "firm" ? "blue" : "grey";
  return <Chip tone={tone} icon={Clock} label={label} className={className} />;
}

/** The same as text. */
export function TurnText({ turn, reader }: Pick<TurnChipProps, "turn" | "reader">) {
  return useAtMinute((now) => describeTurn(turn, { reader, now }));
}
