import { DEFAULT_ADDRESS } from "@db/enums";
import type { Me } from "@server/contract/views";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { formOf, PROFILE_FIELDS, patchOf, profileFormSchema, savedProfile } from "./profile-form-values";

const ME: Me = {
  id: "0198a000-0000-7000-8000-000000000001",
  email: "asha@sangam.example",
  name: "Asha Iyer",
  displayName: "Asha",
  username: "asha",
  mobile: "+91 98200 12345",
  age: 41,
  address: "12 Ferry Wharf, Mumbai",
  profileImgLink: null,
  accountType: "admin",
  accountStatus: "active",
  accessLevel: null,
  unreadMail: true,
  mustSetUpTwoFactor: false,
  hasLostPicture: false,
  createdAt: new Date(0).toISOString(),
};

function patchFor(changes: Partial<ReturnType<typeof formOf>>) {
  return patchOf(ME, savedProfile(ME, z.parse(profileFormSchema, { ...formOf(ME), ...changes })), PROFILE_FIELDS);
}

function complaintAbout(changes: Partial<ReturnType<typeof formOf>>): string | undefined {
  return z.safeParse(profileFormSchema, { ...formOf(ME), ...changes }).error?.issues[0]?.message;
}

test("a profile that was not touched has nothing to send", () => {
  expect(patchFor({})).toEqual({});
});

test("only what was changed is sent, trimmed; what was emptied is cleared", () => {
  expect(patchFor({ name: " Asha R. Iyer " })).toEqual({ name: "Asha R. Iyer" });
  expect(patchFor({ mobile: "", age: " " })).toEqual({ mobile: null, age: null });
  expect(patchFor({ age: "0" })).toEqual({
    age: 0,
  });
});

test("a field that another session has changed meanwhile is not put back by saving another one", () => {
  const typed = z.parse(profileFormSchema, { ...formOf(ME), address: "4 Quay Road" });
  const now = { ...ME, mobile: "+91 11111 22222" };
  expect(patchOf(now, savedProfile(now, typed), ["address"])).toEqual({ address: "4 Quay Road" });
});

test("the address of a new account shows as blank, and stays what it is until one is entered", () => {
  const fresh = { ...ME, address: DEFAULT_ADDRESS };
  const patch = (address: string) =>
    patchOf(fresh, savedProfile(fresh, z.parse(profileFormSchema, { ...formOf(fresh), address })), PROFILE_FIELDS);
  expect(formOf(fresh).address).toBe("");
  expect(patch("")).toEqual({});
  expect(patch("4 Quay Road")).toEqual({ address: "4 Quay Road" });
  expect(patchFor({ address: " " })).toEqual({ address: "" });
});

test("an age that is no whole number of years is refused in words", () => {
  for (const age of ["forty", "12.5", "1e2", "0x10", "99999999999"]) {
    expect(complaintAbout({ age }), age).toBe("Enter your age in years.");
  }
  for (const age of ["-1", "151"]) expect(complaintAbout({ age }), age).toBe("Enter an age between 0 and 150.");
});
