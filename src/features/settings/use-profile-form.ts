import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useMemo } from "react";
import { useForm } from "react-hook-form";
import { useMe } from "@/features/auth/use-auth";
import { liveFormOf, useLiveForm } from "@/lib/use-live-form";
import { useSubmitOnce } from "@/lib/use-submit-once";
import { fieldErrorsOf } from "@/lib/user-message";
import {
  formOf,
  isProfileField,
  PROFILE_FIELDS,
  type ProfileFields,
  type ProfileForm,
  type ProfileFormValues,
  patchOf,
  profileFormSchema,
  savedProfile,
} from "./profile-form-values";
import { useSaveProfile } from "./use-settings";

const resolver = standardSchemaResolver(profileFormSchema);

/** The form of the person's own profile. Each field follows what other sessions save until it is changed here. */
export function useProfileForm() {
  const me = useMe();
  const save = useSaveProfile();
  const form = useForm<ProfileForm, unknown, ProfileFields>({
    resolver,
    mode: "onTouched",
    defaultValues: formOf(me),
  });
  const { setError } = form;
  const live = useMemo(() => formOf(me), [me]);
  const { fill, read } = liveFormOf(form, PROFILE_FIELDS);
  const liveForm = useLiveForm<ProfileFormValues>({
    fields: PROFILE_FIELDS,
    live,
    form: { fill, read: () => textsOf(read()) },
  });

  const submit = useSubmitOnce(
    form.handleSubmit(async (fields) => {
      const { changed, saved } = liveForm.begin();
      const after = savedProfile(me, fields);
      try {
        await save.mutateAsync(patchOf(me, after, changed));
      } catch (error) {
        for (const [at, { field, message }] of complaintsOf(error).entries()) {
          setError(field, { type: "server", message }, { shouldFocus: at === 0 });
        }
        return;
      }
      saved(formOf(after));
    }),
  );

  return {
    form,
    submit,
    isDirty: form.formState.isDirty,
    isSaving: save.isPending,
    /** The error that belongs to no field. */
    failure: save.error && complaintsOf(save.error).length === 0 ? save.error : null,
    discard() {
      save.reset();
      liveForm.discard();
    },
  };
}

function textsOf(typed: ProfileForm): ProfileFormValues {
  return { ...typed, mobile: typed.mobile ?? "" };
}

function complaintsOf(error: unknown) {
  return Object.entries(fieldErrorsOf(error)).flatMap(([field, message]) =>
    isProfileField(field) ? [{ field, message }] : [],
  );
}
