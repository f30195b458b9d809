import { DEFAULT_ADDRESS } from "@db/enums";
import { type ReactNode, useRef } from "react";
import { useMe } from "@/features/auth/use-auth";
import { useNextFocus } from "@/lib/use-next-focus";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { InlineAlert } from "@/ui/inline-alert";
import { Steady } from "@/ui/steady";
import { TextArea } from "@/ui/text-area";
import { TextInput } from "@/ui/text-input";
import { LeaveGuard } from "./leave-guard";
import { useProfileForm } from "./use-profile-form";

/** The person's own profile. Email and username are read-only. */
export function ProfileForm() {
  const { email, username } = useMe();
  const { form, submit, isDirty, isSaving, failure, discard } = useProfileForm();
  const { register } = form;
  const { errors } = form.formState;
  const saveButton = useRef<HTMLButtonElement>(null);
  const canDiscard = isDirty && !isSaving;
  useNextFocus(canDiscard, saveButton);
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid items-start gap-4 sm:grid-cols-2">
      <Field label="Full name" required error={errors.name?.message}>
        <TextInput autoComplete="name" {...register("name")} />
      </Field>
      <Field label="Display name" required error={errors.displayName?.message}>
        <TextInput autoComplete="nickname" {...register("displayName")} />
      </Field>
      <div className="sm:col-span-2">
        <dl className="grid gap-4 sm:grid-cols-2">
          <Fixed label="Email">{email}</Fixed>
          <Fixed label="Username">{username}</Fixed>
        </dl>
        <p className="mt-1.5 text-dense text-ink3">Email and username can't be changed.</p>
      </div>
      <Field label="Phone number" mark="optional" error={errors.mobile?.message}>
        <TextInput type="tel" autoComplete="tel" {...register("mobile")} />
      </Field>
      <Field label="Age" mark="optional" error={errors.age?.message}>
        <TextInput inputMode="numeric" autoComplete="off" {...register("age")} />
      </Field>
      <Field label="Address" mark="optional" error={errors.address?.message} className="sm:col-span-2">
        <TextArea rows={2} autoComplete="street-address" placeholder={DEFAULT_ADDRESS} {...register("address")} />
      </Field>
      <Steady>
        {failure && (
          <InlineAlert tone="red" className="sm:col-span-2">
            {messageOf(failure)} What you typed is still here.
          </InlineAlert>
        )}
      </Steady>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t pt-4 sm:col-span-2">
        <Button
          ref={saveButton}
          type="submit"
          variant="primary"
          busy={isSaving}
          busyLabel="Saving..."
          aria-disabled={!isDirty}
          className="max-sm:flex-1"
        >
          Save Changes
        </Button>
        {canDiscard && (
          <>
            <Button variant="quiet" onClick={discard}>
              Discard
            </Button>
            <p className="text-dense text-ink2 max-sm:hidden">Not saved yet</p>
          </>
        )}
      </div>
      <LeaveGuard isDirty={isDirty} onDiscard={discard} />
    </form>
  );
}

function Fixed({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="font-medium text-dense">{label}</dt>
      <dd className="mt-1 text-ink2 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
