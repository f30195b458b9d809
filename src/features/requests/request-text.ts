import type { Request } from "@server/contract/views";
import { CircleCheck, CircleX, Copy, type LucideIcon, MessageCircleQuestion, Sparkles } from "lucide-react";
import type { TurnReader } from "@/features/turns/turn-text";
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

/** For whom a request's turn is put into words. */
export function turnReader({ client }: Pick<Request, "client">, side: "firm" | "client"): TurnReader {
  return side === "client" ? { side } : { side, clientName: client?.name };
}
