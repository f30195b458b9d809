import type { SignOff } from "@server/contract/views";
import { Link } from "@tanstack/react-router";
import { storedStatusMeta } from "@/features/projects/project-status";
import { buttonStyle } from "@/ui/button-style";
import { cardStyle } from "@/ui/card-style";
import { LoadFailure } from "@/ui/load-failure";
import type { useSignOffs } from "./use-sign-offs";

/** So many tasks stand on a card; the page has all. */
const MAX_TASKS = 5;

type SignOffCardsProps = {
  /** Those that are asked. */
  query: ReturnType<typeof useSignOffs>;
  /** An admin looks at the portal. */
  isReadOnly: boolean;
};

/**
 * What waits for the approval of a client's people, in their portal; both answers are given where all of it stands. Nothing while
 * nothing waits.
 */
export function SignOffCards({ query, isReadOnly }: SignOffCardsProps) {
  const { data } = query;
  if (!data) {
    return (
      <LoadFailure query={query} message="What is waiting for approval could not be loaded." className="mt-4 mb-6" />
    );
  }
  if (data.length === 0) return null;
  return (
    <section aria-label="Waiting for approval" className="mt-4 mb-6 grid gap-3">
      {data.map((signOff) => (
        <SignOffCard key={signOff.id} signOff={signOff} isReadOnly={isReadOnly} />
      ))}
    </section>
  );
}

function SignOffCard({ signOff, isReadOnly }: { signOff: SignOff; isReadOnly: boolean }) {
  const { id, record, canDecide } = signOff;
  const { project, question, scope, tasks, signer } = record;
  const mayAnswer = canDecide && !isReadOnly;
  const shown = tasks.slice(0, MAX_TASKS);
  return (
    <article aria-label={`Sign-off: ${project.title}`} className={cardStyle({ className: "grid gap-3" })}>
      <div>
        <p className="text-dense text-orange">
          {canDecide ? "Waiting for your approval" : <>Waiting for the approval of {signer.name}</>}
        </p>
        <h2 dir="auto" className="text-[17px] leading-6 [overflow-wrap:anywhere]">
          {project.title}
        </h2>
      </div>
      <p dir="auto" className="line-clamp-3 max-w-[110ch] whitespace-pre-line [overflow-wrap:anywhere]">
        {question}
      </p>
      <div className="text-dense text-ink2">
        <p>{scope === "project" ? "The whole project" : "Chosen tasks"}</p>
        <ul className="mt-1 grid gap-0.5">
          {shown.map(({ id: taskId, number, title, status }) => (
            <li key={taskId} dir="auto" className="[overflow-wrap:anywhere]">
              {`${project.key}-${number} ${title} · ${storedStatusMeta(status).label}`}
            </li>
          ))}
          {tasks.length > shown.length && <li>and {tasks.length - shown.length} more</li>}
        </ul>
      </div>
      <div className="flex flex-wrap gap-2">
        <Link
          to="/sign-offs/$signOffId"
          params={{ signOffId: id }}
          aria-label={`${mayAnswer ? "Read and approve" : "Read"}, ${project.title}`}
          className={buttonStyle({ variant: mayAnswer ? "primary" : "secondary", className: "max-sm:flex-1" })}
        >
          {mayAnswer ? "Read and approve" : "Read"}
        </Link>
        {mayAnswer && (
          <Link
            to="/sign-offs/$signOffId"
            params={{ signOffId: id }}
            hash="request-changes"
            aria-label={`Request changes, ${project.title}`}
            className={buttonStyle({ className: "max-sm:flex-1" })}
          >
            Request changes
          </Link>
        )}
      </div>
    </article>
  );
}
