import { describeScope } from "@server/contract/sign-off-text";
import { Link } from "@tanstack/react-router";
import { LoadFailure } from "@/ui/load-failure";
import { SignOffDay } from "./sign-off-day";
import { useSignOffs } from "./use-sign-offs";

/** What was signed in projects that the portal shows no more: deleted ones, and those of another client now. Nothing while there is none. */
export function SignedEarlier({ asClientId }: { asClientId: string | undefined }) {
  const query = useSignOffs({ former: true, status: "approved", asClientId });
  const { data } = query;
  if (!data)
    return <LoadFailure query={query} message="What was signed earlier could not be loaded." className="mt-8" />;
  if (data.length === 0) return null;
  return (
    <section aria-label="Signed earlier" className="mt-8">
      <h2 className="text-h3">Signed earlier</h2>
      <p className="mt-1 text-ink2">Of projects that are no longer shown here.</p>
      <ul className="mt-1 grid">
        {data.map((signOff) => (
          <li
            key={signOff.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b py-2 last:border-b-transparent"
          >
            <Link
              to="/sign-offs/$signOffId"
              params={{ signOffId: signOff.id }}
              className="inline-flex min-h-6 min-w-0 items-center text-brand-text underline underline-offset-3 [overflow-wrap:anywhere]"
            >
              <bdi>{signOff.record.project.title}</bdi>
            </Link>
            <span className="text-dense text-ink2">{describeScope(signOff.record)}</span>
            <SignOffDay signOff={signOff} />
          </li>
        ))}
      </ul>
    </section>
  );
}
