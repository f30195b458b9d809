import { DEFAULT_ADDRESS } from "@db/enums";
import { type ProfilePatch, profileSchema } from "@server/contract/profiles";
import type { Me } from "@server/contract/views";
import * as z from "zod/mini";

/** The contract's profile, with the age as it is typed. */
export const profileFormSchema = z.extend(profileSchema, {
  age: z.pipe(z.transform(numberOf), profileSchema.shape.age),
});

export type ProfileForm = z.input<typeof profileFormSchema>;
export type ProfileFields = z.output<typeof profileFormSchema>;

/** The form's values as text; "" for absent ones. */
export type ProfileFormValues = Required<{ [Key in keyof ProfileForm]: string }>;

/** In the order of the controls. */
export const PROFILE_FIELDS = [
  "name",
  "displayName",
  "mobile",
  "age",
  "address",
] as const satisfies readonly (keyof ProfileFormValues)[];

/** A field that an error may name. */
export function isProfileField(name: string): name is keyof ProfileFormValues {
  return PROFILE_FIELDS.some((field) => field === name);
}

/** The profile as it will be once these fields are saved. A blank address leaves the one of a new account, which shows as blank. */
export function savedProfile(before: Me, { mobile, age, address, ...rest }: ProfileFields): Me {
  return {
    ...before,
    ...rest,
    mobile: mobile ?? null,
    age: age ?? null,
    address: address === "" && before.address === DEFAULT_ADDRESS ? before.address : address,
  };
}

export function formOf(me: Me): ProfileFormValues {
  return {
    name: me.name,
    displayName: me.displayName,
    mobile: me.mobile ?? "",
    age: me.age === null ? "" : String(me.age),
    address: me.address === DEFAULT_ADDRESS ? "" : me.address,
  };
}

/** Only the fields that were changed in the form, so that what another session saved meanwhile stays. */
export function patchOf(before: Me, after: Me, changed: readonly (keyof ProfileFormValues)[]): ProfilePatch {
  const patch: ProfilePatch = {};
  const take = <Key extends keyof ProfileFormValues>(key: Key) => {
    if (before[key] !== after[key]) patch[key] = after[key];
  };
  for (const key of changed) take(key);
  return patch;
}

/** "" is no age. Anything but a whole number becomes NaN, which the contract refuses. */
function numberOf(text: string): number | null | undefined {
  const bare = text.trim();
  if (bare === "") return null;
  return /^-?\d{1,9}$/.test(bare) ? Number(bare) : Number.NaN;
}
