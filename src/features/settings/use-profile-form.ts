import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import { useMe } from "@/features/auth/use-auth";
import { fieldErrorsOf } from "@/lib/user-message";
import {
  formOf,
  isProfileField,
  PROFILE_FIELDS,
  type ProfileFields,
  type ProfileForm,
  patchOf,
  profileFormSchema,
  savedProfile,
} from "./profile-form-values";
import { useSaveProfile } from "./use-settings";

const resolver = standardSchemaResolver(profileFormSchema);

/** The form of the person's own profile. Follows what other tabs save until something is typed. */
export function useProfileForm() {
  const me = useMe();
  const save = useSaveProfile();
  const form = useForm<ProfileForm, unknown, ProfileFields>({
    resolver,
    mode: "onTouched",
    defaultValues: formOf(me),
  });
  const { reset, getValues, setValue, setError } = form;
  const { isDirty } = form.formState;

  useEffect(() => {
    if (!isDirty) reset(formOf(me));
  }, [me, isDirty, reset]);

  const submit = form.handleSubmit(async (fields) => {
    if (save.isPending) return;
    const sent = getValues();
    const saved = savedProfile(me, fields);
    try {
      await save.mutateAsync(patchOf(me, saved));
    } catch (error) {
      for (const [at, { field, message }] of complaintsOf(error).entries()) {
        setError(field, { type: "server", message }, { shouldFocus: at === 0 });
      }
      return;
    }
    const typed = getValues();
    reset(formOf(saved));
    // Typed while the request was under way: not saved yet.
    for (const field of PROFILE_FIELDS) {
      if (typed[field] !== sent[field]) setValue(field, typed[field], { shouldDirty: true });
    }
  });

  return {
    form,
    submit,
    isDirty,
    isSaving: save.isPending,
    /** The error that belongs to no field. */
    failure: save.error && complaintsOf(save.error).length === 0 ? save.error : null,
    discard() {
      save.reset();
      reset(formOf(me));
    },
  };
}

function complaintsOf(error: unknown) {
  return Object.entries(fieldErrorsOf(error)).flatMap(([field, message]) =>
    isProfileField(field) ? [{ field, message }] : [],
  );
}
