import type { SignOff } from "@server/contract/views";
import { useMe } from "@/features/auth/use-auth";
import { TurnChip } from "@/features/turns/turn-chip";

type SignOffTurnProps = { signOff: SignOff; asClientId?: string | undefined; className?: string };

/**
 * Whose turn it is, where that says more than the status: the firm reads for how long, its client that the changes are worked on.
 * That an approval is waited for is said to whoever was asked, and by the status.
 */
export function SignOffTurn({ signOff: { turn, record }, asClientId, className }: SignOffTurnProps) {
  const { accountType } = useMe();
  if (accountType !== "client" && asClientId === undefined)
    return <TurnChip turn={turn} reader={{ side: "firm", clientName: record.signer.name }} className={className} />;
  return turn.owes === "firm" && <TurnChip turn={turn} reader={{ side: "client" }} className={className} />;
}
