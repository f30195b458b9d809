import type { SignOff } from "@server/contract/views";
import { useIsDrawing } from "@/lib/drawing";
import { formatDate, formatDay } from "@/lib/format";

/** Who was asked, and the day of what came last: the answer, or the question. */
export function SignOffDay({ signOff: { record, decidedAt } }: { signOff: SignOff }) {
  const isDrawing = useIsDrawing();
  const at = decidedAt ?? record.askedAt;
  return (
    <span className="text-dense text-ink2">
      <bdi>{record.signer.name}</bdi>,{" "}
      <time dateTime={at}>{isDrawing ? formatDay(at.slice(0, 10)) : formatDate(at)}</time>
    </span>
  );
}
