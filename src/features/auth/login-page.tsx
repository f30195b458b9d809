import type { SignIn } from "@server/contract/accounts";
import { AUTH_MESSAGES } from "@server/contract/messages/auth";
import { getRouteApi, Link, useRouter } from "@tanstack/react-router";
import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from "react";
import { useUnsavedForm } from "@/lib/unsaved-forms";
import { fieldErrorsOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Field } from "@/ui/field";
import { InlineAlert } from "@/ui/inline-alert";
import { PasswordInput } from "@/ui/password-input";
import { Steady } from "@/ui/steady";
import { EmailInput } from "@/ui/text-input";
import { AuthLayout, authLink } from "./auth-layout";
import { ForgotPasswordLink } from "./forgot-password-link";
import { forgetGoogleSignUp, GoogleButton } from "./google-button";
import { NoticeAlert, ResetOutcome, SignInRefusal } from "./login-outcome";
import { useGoogle, useRequestReset, useSignIn } from "./use-auth";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The address of the account that was just made. */
    email?: string;
  }
}

const route = getRouteApi("/login");

const SecondStep = lazy(() => import("./second-step").then((module) => ({ default: module.SecondStep })));

type Missing = { email?: string; password?: string };
/** What the message above the form is about: the last attempt, at first the reason for the redirect. */
type Subject = "notice" | "signIn" | "reset" | "google" | null;

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

/** Uncontrolled inputs and no form library: for many this is the first page they load. */
function LoginForm() {
  const { redirect, notice } = route.useSearch();
  const { location } = useRouter().state;
  const knownEmail = location.state.email;
  const signIn = useSignIn(redirect);
  const reset = useRequestReset();
  const google = useGoogle();
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const [subject, setSubject] = useState<Subject>("notice");
  const [missing, setMissing] = useState<Missing>({});
  // Google leads back here with one.
  const [googleChallenge, setGoogleChallenge] = useState(() => /^challenge=(.+)/.exec(location.hash)?.[1]);
  const challenge = signIn.data?.challenge ?? googleChallenge;
  const refused: Missing = fieldErrorsOf(subject === "reset" ? reset.error : signIn.error);

  useUnsavedForm(() => [email, password].some(({ current }) => current && current.value !== current.defaultValue));
  useEffect(() => {
    // On a touch screen focus would bring up the keyboard over the page.
    if (!matchMedia("(pointer: fine)").matches) return;
    (knownEmail ? password : email).current?.focus();
  }, [knownEmail]);

  /** A new attempt clears the last message. */
  function turnTo(next: Subject, found: Missing): void {
    setSubject(next);
    setMissing(found);
    for (const { reset: clear, isPending } of [signIn, reset, google]) if (!isPending) clear();
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const credentials: Pick<SignIn, "email" | "password"> = {
      email: textOf(form, "email"),
      password: textOf(form, "password"),
    };
    const found: Missing = {
      ...(credentials.email.trim() === "" && { email: AUTH_MESSAGES.emailRequired }),
      ...(credentials.password === "" && { password: AUTH_MESSAGES.passwordRequired }),
    };
    const isComplete = !found.email && !found.password;
    turnTo(isComplete ? "signIn" : null, found);
    const complain = (about: Missing) => (about.email ? email : password).current?.focus();
    if (!isComplete) complain(found);
    else {
      const onError = (error: unknown) => complain(fieldErrorsOf(error));
      signIn.mutate({ ...credentials, rememberMe: form.has("rememberMe" satisfies keyof SignIn) }, { onError });
    }
  }

  function sendReset(): void {
    const address = email.current?.value ?? "";
    const isBlank = address.trim() === "";
    turnTo(isBlank ? null : "reset", isBlank ? { email: AUTH_MESSAGES.emailRequired } : {});
    if (isBlank) email.current?.focus();
    else reset.mutate({ email: address }, { onError: (error) => fieldErrorsOf(error).email && email.current?.focus() });
  }

  function goBack(): void {
    signIn.reset();
    setGoogleChallenge(undefined);
    // The form is shown again after the timer with which a reset is told.
    setTimeout(() => password.current?.focus());
  }

  return (
    <>
      {challenge && (
        <Suspense>
          <SecondStep challenge={challenge} onSignedIn={signIn.begin} onBack={goBack} />
        </Suspense>
      )}
      <form noValidate onSubmit={submit} hidden={challenge !== undefined} className="flex flex-col gap-4">
        <Steady>
          {subject === "notice" && notice && <NoticeAlert notice={notice} />}
          {subject === "signIn" && signIn.error && <SignInRefusal error={signIn.error} />}
          {subject === "reset" && !reset.isPending && !refused.email && <ResetOutcome error={reset.error} />}
          {subject === "google" && google.isError && (
            <InlineAlert tone="red">{AUTH_MESSAGES.googleSignInFailed}</InlineAlert>
          )}
        </Steady>
        <Field label="Email" required error={missing.email ?? refused.email}>
          <EmailInput ref={email} name="email" autoComplete="username" defaultValue={knownEmail} />
        </Field>
        <Field label="Password" required error={missing.password ?? refused.password}>
          <PasswordInput ref={password} name="password" autoComplete="current-password" />
        </Field>
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <Checkbox name="rememberMe" label="Remember me" />
          <ForgotPasswordLink busy={reset.isPending} onSend={sendReset} />
        </div>
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
        <GoogleButton
          busy={google.isPending || google.isSuccess}
          onClick={() => {
            turnTo("google", {});
            forgetGoogleSignUp();
            google.mutate({ intent: "signIn", redirect });
          }}
        >
          Sign in with Google
        </GoogleButton>
      </form>
    </>
  );
}

function textOf(form: FormData, name: keyof SignIn): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
