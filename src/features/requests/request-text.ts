import type { Request } from "@server/contract/views";
import { CircleCheck, CircleX, Copy, type LucideIcon, MessageCircleQuestion, Sparkles } from "lucide-react";
import { formatInstantInText } from "@/lib/format";
import type { Tone } from "@/ui/tone";

export const URGENCY_LABELS: Record<Request["urgency"], string> = { low: "Low", normal: "Normal", high: "High" };

/** How a status looks, and what it is called for each side. */
export const STATUS_META: Record<Request["status"], { tone: Tone; icon: LucideIcon; firm: string; client: string }> = {
  new: { tone: "orange", icon: Sparkles, firm: "New", client: "Sent" },
  asked: { tone: "blue", icon: MessageCircleQuestion, firm: "Asked back", client: "Question for you" },
  accepted: { tone: "green", icon: CircleCheck, firm: "Accepted", client: "Accepted" },
  declined: { tone: "grey", icon: CircleX, firm: "Declined", client: "Declined" },
  duplicate: { tone: "grey", icon: Copy, firm: "Duplicate", client: "Duplicate" },
};

/** Who owes the next move, in the words of each side; null when nobody does. */
export function describeTurn(
  { turn, client }: Pick<Request, "turn" | "client">,
  side: "firm" | "client",
): string | null {
  if (turn.owes === "nobody") return null;
  if (side === "client") {
    if (turn.owes === "client") return "Waiting for your answer";
    // A moment that has passed is no promise any more.
    const isAhead = turn.answerBy !== null && Date.parse(turn.answerBy) > Date.now();
    return isAhead && turn.answerBy ? `We answer by ${formatInstantInText(turn.answerBy)}` : "We answer soon";
  }
  const whom = turn.owes === "firm" ? "us" : (client?.name.split(" ")[0] ?? "the client");
  return `Waiting for ${whom} · ${lasting(turn)}`;
}

/** Business time: "40 min", "5 h", "2 d". */
function lasting({ businessMinutes, businessDays }: Request["turn"]): string {
  if (businessDays > 0) return `${businessDays} d`;
  return businessMinutes < 60 ? `${businessMinutes} min` : `${Math.floor(businessMinutes / 60)} h`;
}
