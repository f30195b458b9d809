import { MESSAGES } from "@server/contract/messages";
import { getRouteApi, Link, useRouterState } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { fieldErrorsOf, messageOf, NOTICES, type Notice } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Field } from "@/ui/field";
import { InlineAlert } from "@/ui/inline-alert";
import { PasswordInput } from "@/ui/password-input";
import { TextInput } from "@/ui/text-input";
import { AuthLayout, authLink } from "./auth-layout";
import { useSignIn } from "./use-auth";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** For /login: whose account was just made. */
    email?: string;
  }
}

const route = getRouteApi("/login");

type Missing = { email?: string; password?: string };

/** /login. */
export function LoginPage() {
  return (
    <AuthLayout title="Log In" lead="Welcome back. Your projects are where you left them.">
      <LoginForm />
      <p className="mt-6 text-ink2">
        New to Sangam?{" "}
        <Link to="/signup" className={authLink}>
          Sign up
        </Link>
      </p>
    </AuthLayout>
  );
}

/** Uncontrolled inputs and no form library: this page is the first that many load. */
function LoginForm() {
  const { redirect, notice } = route.useSearch();
  const knownEmail = useRouterState({ select: ({ location }) => location.state.email });
  const signIn = useSignIn(redirect);
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const [missing, setMissing] = useState<Missing>({});
  const refused: Missing = fieldErrorsOf(signIn.error);

  useEffect(() => {
    // On a touch screen focus would bring up the keyboard over the page.
    if (!window.matchMedia("(pointer: fine)").matches) return;
    (knownEmail ? password : email).current?.focus();
  }, [knownEmail]);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const credentials = { email: textOf(form, "email"), password: textOf(form, "password") };
    const found: Missing = {
      ...(credentials.email.trim() === "" && { email: MESSAGES.auth.emailRequired }),
      ...(credentials.password === "" && { password: MESSAGES.auth.passwordRequired }),
    };
    setMissing(found);
    signIn.reset();
    if (found.email) email.current?.focus();
    else if (found.password) password.current?.focus();
    else {
      const onError = (error: unknown) => (fieldErrorsOf(error).email ? email : password).current?.focus();
      signIn.mutate({ ...credentials, rememberMe: form.has("rememberMe") }, { onError });
    }
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Outcome
        error={signIn.error}
        notice={signIn.isIdle && !missing.email && !missing.password ? notice : undefined}
      />
      <Field label="Email" required error={missing.email ?? refused.email}>
        <TextInput
          ref={email}
          type="email"
          name="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={knownEmail}
        />
      </Field>
      <Field label="Password" required error={missing.password ?? refused.password}>
        <PasswordInput ref={password} name="password" autoComplete="current-password" />
      </Field>
      <Checkbox name="rememberMe" label="Remember me" />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        wide
        busy={signIn.isPending}
        busyLabel="Logging in..."
        className="mt-1"
      >
        Log In
      </Button>
    </form>
  );
}

/** Why the last attempt failed; before the first one, why the visitor was sent here. */
function Outcome({ error, notice }: { error: unknown; notice: Notice | undefined }): ReactNode {
  if (error) {
    const message = messageOf(error);
    return <InlineAlert tone={message === MESSAGES.auth.pending ? "orange" : "red"}>{message}</InlineAlert>;
  }
  if (notice === undefined) return null;
  if (notice === "signed-out") return <p role="status">{NOTICES[notice]}</p>;
  return <InlineAlert tone={notice === "pending" ? "orange" : "red"}>{NOTICES[notice]}</InlineAlert>;
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
