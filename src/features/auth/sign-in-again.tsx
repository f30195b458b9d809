import type { SignIn } from "@server/contract/accounts";
import { AUTH_MESSAGES } from "@server/contract/messages/auth";
import { CREDENTIAL_MESSAGES } from "@server/contract/messages/credentials";
import { type FormEvent, useRef, useState } from "react";
import { Button } from "@/ui/button";
import { Checkbox } from "@/ui/checkbox";
import { Field } from "@/ui/field";
import { PasswordInput } from "@/ui/password-input";
import { Steady } from "@/ui/steady";
import { TextInput } from "@/ui/text-input";
import { TopDialog } from "@/ui/top-dialog";
import { authLink } from "./auth-layout";
import { SignInRefusal } from "./login-outcome";
import { SecondStep } from "./second-step";
import { useSignInAgain } from "./use-auth";

type SignInAgainProps = { email: string };

/**
 * Opens over everything and covers the page, since nobody is signed in to see it. Cancel gives the page up; Escape does nothing.
 */
export function SignInAgain({ email }: SignInAgainProps) {
  const { signIn, resume, leave } = useSignInAgain();
  const password = useRef<HTMLInputElement>(null);
  const [isBlank, setBlank] = useState(false);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const typed = password.current?.value ?? "";
    setBlank(typed === "");
    signIn.reset();
    const refocus = () => password.current?.focus();
    if (typed === "") refocus();
    else {
      const rememberMe = new FormData(event.currentTarget).has("rememberMe" satisfies keyof SignIn);
      signIn.mutate({ email, password: typed, rememberMe }, { onError: refocus });
    }
  }

  function goBack(): void {
    signIn.reset();
    // The form is shown again after the timer with which a reset is told.
    setTimeout(() => password.current?.focus());
  }

  return (
    <TopDialog title="Sign in again">
      <p className="mt-2 text-ink2">{CREDENTIAL_MESSAGES.signInAgain}</p>
      {signIn.data?.challenge && (
        <div className="mt-4">
          <SecondStep challenge={signIn.data.challenge} onSignedIn={resume} onBack={goBack} />
        </div>
      )}
      <form noValidate onSubmit={submit} hidden={signIn.data !== undefined} className="mt-4 flex flex-col gap-4">
        <Steady>{signIn.error && <SignInRefusal error={signIn.error} />}</Steady>
        <Field label="Email">
          <TextInput type="email" name="email" autoComplete="username" value={email} readOnly />
        </Field>
        <Field label="Password" required error={isBlank ? AUTH_MESSAGES.passwordRequired : undefined}>
          <PasswordInput ref={password} data-autofocus="" name="password" autoComplete="current-password" />
        </Field>
        <Checkbox name="rememberMe" label="Remember me" />
        <p className="text-dense text-ink2">
          To log in with Google, use{" "}
          <a href="/login" target="_blank" rel="noopener" className={authLink}>
            a new tab
          </a>
          . This page then continues by itself.
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="quiet" onClick={leave}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={signIn.isPending} busyLabel="Logging in...">
            Log In
          </Button>
        </div>
      </form>
    </TopDialog>
  );
}
