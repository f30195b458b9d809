import { SIGN_OFF_MESSAGES } from "@server/contract/messages/sign-offs";
import { describeScope } from "@server/contract/sign-off-text";
import type { SignOff } from "@server/contract/views";
import { Link } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import { messageOf } from "@/lib/user-message";
import { Chip } from "@/ui/chip";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import { SignOffDay } from "./sign-off-day";
import { SIGN_OFF_META } from "./sign-off-text";
import { SignOffTurn } from "./sign-off-turn";
import type { useSignOffs } from "./use-sign-offs";

type SignOffListProps = {
  /** Those of a project. */
  query: ReturnType<typeof useSignOffs>;
  /** The client whose portal is shown; undefined for one's own pages. */
  asClientId?: string | undefined;
};

/** The sign-offs of a project, those that are asked first; each leads to its page. */
export function SignOffList({ query, asClientId }: SignOffListProps) {
  const { data, isPending, isFetching, error, refetch } = query;
  return (
    <Delayed
      pending={data === undefined && isPending}
      label="Loading sign-offs"
      skeleton={<Skeleton className="h-10 w-full" />}
    >
      {() => {
        if (!data)
          return (
            <ErrorState message={messageOf(error)} busy={isFetching} onRetry={() => void refetch()} className="py-4" />
          );
        if (data.length === 0) return <p className="text-ink2">{SIGN_OFF_MESSAGES.empty}</p>;
        return (
          <ul aria-label="Sign-offs" className="grid">
            {data.map((signOff) => (
              <SignOffLine key={signOff.id} signOff={signOff} asClientId={asClientId} />
            ))}
          </ul>
        );
      }}
    </Delayed>
  );
}

function SignOffLine({ signOff, asClientId }: { signOff: SignOff; asClientId: string | undefined }) {
  const { id, status, record, changedAfter } = signOff;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b py-2 last:border-b-transparent">
      <Chip {...SIGN_OFF_META[status]} />
      <Link
        to="/sign-offs/$signOffId"
        params={{ signOffId: id }}
        className="inline-flex min-h-6 items-center text-brand-text underline underline-offset-3"
      >
        {describeScope(record)}
      </Link>
      <SignOffDay signOff={signOff} />
      <SignOffTurn signOff={signOff} asClientId={asClientId} />
      {changedAfter && <Chip tone="orange" icon={CircleAlert} label={SIGN_OFF_MESSAGES.changedAfter} />}
    </li>
  );
}
