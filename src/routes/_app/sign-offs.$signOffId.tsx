import { createFileRoute, Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useMe } from "@/features/auth/use-auth";
import { Bell } from "@/features/notifications/bell";
import { SignOffPage } from "@/features/sign-offs/sign-off-page";
import { homeOf } from "@/lib/landing";
import { ShellHeader } from "@/ui/app-shell";
import { buttonStyle } from "@/ui/button-style";
import { ConnectionLight } from "@/ui/connection-light";
import { SkipLink } from "@/ui/skip-link";
import { ThemeToggle } from "@/ui/theme-toggle";
import { BrandLink, PageLink } from "../-page-link";

export const Route = createFileRoute("/_app/sign-offs/$signOffId")({ component: SignOffRoute });

/** A document of its own, in no shell: mails lead both sides here. */
function SignOffRoute() {
  const { signOffId } = Route.useParams();
  const home = homeOf(useMe().accountType);
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <ConnectionLight />
      <ShellHeader>
        <div className="me-auto flex min-w-0 items-center">
          <BrandLink to={home} />
        </div>
        <div className="flex shrink-0 items-center gap-1 sm:gap-2.5">
          <ThemeToggle />
          <Bell inbox={<PageLink to={`${home}/inbox`} />} />
          <Link to={home} className={buttonStyle({ variant: "quiet" })}>
            <ArrowLeft size={16} />
            <span className="max-sm:sr-only">All projects</span>
          </Link>
        </div>
      </ShellHeader>
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-[880px] flex-1 px-4 pt-4 pb-16 sm:px-7">
        <SignOffPage key={signOffId} signOffId={signOffId} />
      </main>
    </div>
  );
}
