import { Link } from "@tanstack/react-router";
import { CircleDashed, Copy, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { TOKEN_ANCHOR, useTokenStatus } from "@/features/github/use-token";
import { useUserCounts } from "@/features/users/use-users";
import { useIsDrawing } from "@/lib/drawing";
import { pageHeading } from "@/lib/page-focus";
import { useLocalSetting } from "@/lib/use-local-setting";
import { announce } from "@/ui/announce";
import { Button } from "@/ui/button";
import { buttonStyle } from "@/ui/button-style";
import { cardStyle } from "@/ui/card-style";
import { IconButton } from "@/ui/icon-button";
import { useMailSettings } from "./use-invitations";

/** An organisation with more active people than this is no longer new. */
const FEW_PEOPLE = 3;
const ACTION = buttonStyle({ size: "sm" });

type FirstStepsProps = { name: string; hasProjects: boolean; onCreate: () => void };

/** What is left to set up in a new organisation. A step disappears when it is done; the rest can be hidden. */
export function FirstSteps({ name, hasProjects, onCreate }: FirstStepsProps) {
  const [isWanted, setWanted] = useLocalSetting("firstSteps");
  const counts = useUserCounts();
  const isNew = isWanted && counts !== undefined && counts.active <= FEW_PEOPLE;
  const token = useTokenStatus({ enabled: isNew });
  const mail = useMailSettings({ enabled: isNew });
  if (!isNew) return null;
  const needsPeople = counts.active === 1;
  // Shown until the status is known, so that nothing moves, unless it would be the only step.
  const isBeginning = needsPeople || !hasProjects;
  const needsToken = token.data ? !token.data.configured : token.isPending && isBeginning;
  const needsMail = mail.data ? !mail.data.isConfigured : mail.isPending && isBeginning;
  if (!isBeginning && !needsToken && !needsMail) return null;

  function hide(): void {
    setWanted(false);
    pageHeading()?.focus();
  }
  return (
    <section aria-labelledby="first-steps" className={`${cardStyle()} relative mb-5 sm:p-5`}>
      <h2 id="first-steps" className="pe-10 text-h3">
        Welcome, {name}
      </h2>
      <p className="mt-1 text-ink2">Set up your organisation. Each step disappears when it is done.</p>
      <IconButton icon={X} label="Hide these steps" onClick={hide} className="absolute end-2 top-2" />
      <ol className="mt-3 flex flex-col">
        {needsMail && <MailStep />}
        {needsPeople && (
          <Step
            title="Invite people"
            action={
              <Link to="/admin/users" search={{ users: "invited", dialog: "invite" }} className={ACTION}>
                Invite people
              </Link>
            }
          >
            Staff and clients get a link by email, and are active as soon as they have chosen a password.
          </Step>
        )}
        {needsPeople && <ApproveStep pending={counts.pending} />}
        {!hasProjects && (
          <Step
            title="Create the first project"
            action={
              <Button size="sm" onClick={onCreate}>
                Create a project
              </Button>
            }
          >
            Add people and a client to it. They see it at once.
          </Step>
        )}
        {needsToken && (
          <Step
            title="Add a repository token"
            action={
              <Link to="/admin/settings" hash={TOKEN_ANCHOR} className={ACTION}>
                Add a token
              </Link>
            }
          >
            Activity then shows commits of private repositories too.
          </Step>
        )}
      </ol>
      <p className="mt-3 border-line border-t pt-3 text-dense text-ink2">
        <Link to="/admin/system" className="text-brand-text underline underline-offset-3">
          System
        </Link>{" "}
        shows whether email, backups and everything else work.
      </p>
    </section>
  );
}

function MailStep() {
  return (
    <Step
      title="Email settings"
      action={
        <span className="flex flex-wrap gap-2">
          {["SMTP_URL", "MAIL_FROM"].map((name) => (
            <code key={name} className="rounded-control bg-sunken px-2 py-1 text-dense">
              {name}
            </code>
          ))}
        </span>
      }
    >
      Until the server has a mail server, emails are only written to its outbox folder: invitations reach nobody.
    </Step>
  );
}

function ApproveStep({ pending }: { pending: number }) {
  if (pending === 0) {
    return (
      <Step title="Approve people" action={<SignUpLink />}>
        Staff and clients sign up with this link. Each account waits for your approval.
      </Step>
    );
  }
  return (
    <Step
      title="Approve people"
      action={
        <Link to="/admin/users" search={{ users: "pending" }} className={ACTION}>
          {pending === 1 ? "Review 1 sign-up" : `Review ${pending} sign-ups`}
        </Link>
      }
    >
      Decide who comes in, and whether as a user, a client or an admin.
    </Step>
  );
}

type StepProps = { title: string; action: ReactNode; children: ReactNode };

function Step({ title, action, children }: StepProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t py-3 last:pb-0">
      <CircleDashed size={20} className="shrink-0 text-ink3" />
      <div className="min-w-48 flex-1">
        <h3 className="font-medium font-sans text-body tracking-normal">{title}</h3>
        <p className="text-dense text-ink2">{children}</p>
      </div>
      <div className="min-w-0 max-sm:w-full max-sm:ps-9">{action}</div>
    </li>
  );
}

function SignUpLink() {
  const isDrawing = useIsDrawing();
  const link = `${isDrawing ? "" : window.location.origin}/signup`;
  const [isCopied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(link);
      setCopied(true);
      announce("Link copied");
    } catch {
      // Without permission, or over plain HTTP: the link beside the button can be copied by hand.
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
