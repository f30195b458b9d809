import { ACCOUNT_TYPES } from "@db/enums";
import * as z from "zod/mini";
import { mobileSchema, nameSchema } from "./accounts";
import { USER_MESSAGES } from "./messages/users";
import { describeSchema, idSchema, lineSchema, orAbsent, textSchema } from "./text";

/** Where an uploaded picture of a person is; its id follows. */
export const PHOTO_PATH = "/api/photos/";

const OWN_PICTURE = `^${PHOTO_PATH}[\\w-]{1,100}$`;
/** Pages load no picture from another host (their content security policy). */
const ownPictureSchema = describeSchema(
  z
    .string({ error: USER_MESSAGES.pictureElsewhere })
    .check(z.regex(new RegExp(OWN_PICTURE), { error: USER_MESSAGES.pictureElsewhere })),
  { pattern: OWN_PICTURE },
);

/** The fields of a profile that its person writes; "" and null clear what may be absent. */
export const profileSchema = z.strictObject({
  name: nameSchema,
  displayName: lineSchema({ max: 100, required: "Please enter a display name.", label: "Display name" }),
  mobile: z.optional(orAbsent(mobileSchema)),
  age: z.optional(
    z.nullable(
      z
        .int({ error: "Enter your age in years." })
        .check(
          z.gte(0, { error: "Enter an age between 0 and 150." }),
          z.lte(150, { error: "Enter an age between 0 and 150." }),
        ),
    ),
  ),
  address: textSchema({ min: 0, max: 500, required: "Enter the address as text.", label: "Address" }),
});

/**
 * A missing key stays as it is. `profileImgLink`: null removes the picture, and the present path keeps it; `users.setPhoto` sets
 * another one. `unreadMail`: whether what stays unread is mailed; a switch of its own in Settings.
 */
export const updateProfileSchema = z.extend(z.partial(profileSchema), {
  profileImgLink: z.optional(orAbsent(ownPictureSchema)),
  unreadMail: z.optional(z.boolean()),
});

/** An uploaded picture, or null for none. */
export const setPhotoSchema = z.strictObject({ fileId: z.nullable(idSchema) });

export const userIdSchema = z.strictObject({ userId: idSchema });

export const clientIdSchema = z.strictObject({ clientId: idSchema });

export const approveSchema = z.strictObject({
  userId: idSchema,
  accountType: z.enum(ACCOUNT_TYPES, { error: "Choose User, Client or Admin." }),
});

/** Subtabs of the Users tab: `rejected` holds rejected and inactive accounts. */
const USER_LISTS = ["pending", "active", "rejected"] as const;
export type UserListName = (typeof USER_LISTS)[number];

export const listUsersSchema = z.strictObject({
  status: z.optional(z.enum(USER_LISTS)),
  q: z.optional(textSchema({ min: 0, max: 200, label: "Search" })),
  cursor: z.nullish(z.string().check(z.maxLength(200))),
  /** Sent along by tRPC's hook for pages; there is one way only. */
  direction: z.optional(z.literal("forward")),
});

export type ProfilePatch = z.output<typeof updateProfileSchema>;
