import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleDashed, Copy } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useUserCounts } from "@/features/users/use-users";
import { announce } from "@/ui/announce";
import { Button } from "@/ui/button";
import { buttonStyle } from "@/ui/button-style";
import { cardStyle } from "@/ui/card-style";

/** An organisation with more people than this has found its way. */
const FEW_PEOPLE = 3;

type FirstStepsProps = { name: string; hasProjects: boolean };

/** Greets the first admin of an empty organisation with what to do first; gone as soon as it is done. */
export function FirstSteps({ name, hasProjects }: FirstStepsProps) {
  const counts = useUserCounts();
  if (!counts || counts.active > FEW_PEOPLE) return null;
  const hasColleagues = counts.active > 1;
  if (hasColleagues && hasProjects) return null;
  return (
    <Steps
      name={name}
      hasProjects={hasProjects}
      hasSignUps={counts.all > 1}
      hasColleagues={hasColleagues}
      pending={counts.pending}
    />
  );
}

type StepsProps = FirstStepsProps & { hasSignUps: boolean; hasColleagues: boolean; pending: number };

function Steps({ name, hasProjects, hasSignUps, hasColleagues, pending }: StepsProps) {
  return (
    <section aria-labelledby="first-steps" className={`${cardStyle()} mb-5 sm:p-5`}>
      <h2 id="first-steps" className="text-h3">
        Welcome, {name}
      </h2>
      <p className="mt-1 text-ink2">Three steps, and your organisation is at work.</p>
      <ol className="mt-3 flex flex-col">
        <Step title="Share the sign-up link" isDone={hasSignUps} action={<SignUpLink />}>
          Colleagues and clients make their own accounts.
        </Step>
        <Step
          title="Approve people"
          isDone={hasColleagues}
          action={
            pending > 0 && (
              <Link to="/admin/users" search={{ users: "pending" }} className={buttonStyle({ size: "sm" })}>
                {pending === 1 ? "See who is waiting" : `See the ${pending} who are waiting`}
              </Link>
            )
          }
        >
          Each new account waits for you: say whether it is a user, a client or an admin.
        </Step>
        <Step
          title="Create the first project"
          isDone={hasProjects}
          action={
            <Link to="/dashboard" search={{ modal: "create" }} className={buttonStyle({ size: "sm" })}>
              Create a project
            </Link>
          }
        >
          Give it people and a client; both see it at once.
        </Step>
      </ol>
    </section>
  );
}

type StepProps = { title: string; isDone: boolean; action: ReactNode; children: ReactNode };

function Step({ title, isDone, action, children }: StepProps) {
  const Icon = isDone ? CircleCheck : CircleDashed;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t py-3 last:pb-0">
      <Icon size={20} className={isDone ? "shrink-0 text-blue" : "shrink-0 text-ink3"} />
      <div className="min-w-48 flex-1">
        <h3 className="font-medium font-sans text-body tracking-normal">
          {title}
          {isDone && <span className="sr-only"> (done)</span>}
        </h3>
        <p className="text-dense text-ink2">{children}</p>
      </div>
      {!isDone && action && <div className="min-w-0 max-sm:w-full max-sm:ps-9">{action}</div>}
    </li>
  );
}

function SignUpLink() {
  const link = `${window.location.origin}/signup`;
  const [isCopied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(link);
      setCopied(true);
      announce("Link copied");
    } catch {
      // Without leave, or over plain HTTP: the link stands beside the button to be copied by hand.
    }
  }
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-2">
      <code className="rounded-control bg-sunken px-2 py-1 text-dense [overflow-wrap:anywhere]">{link}</code>
      <Button size="sm" icon={<Copy size={16} />} onClick={() => void copy()} onBlur={() => setCopied(false)}>
        {isCopied ? "Copied" : "Copy link"}
      </Button>
    </span>
  );
}
