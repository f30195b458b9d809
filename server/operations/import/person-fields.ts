import { ACCOUNT_STATUSES, ACCOUNT_TYPES, DEFAULT_ADDRESS } from "@db/enums";
import { webLinkSchema } from "../../contract/links";
import { PHOTO_PATH, profileSchema } from "../../contract/profiles";
import { type Fields, keptId } from "./fields";

/** What is staged of a person. `today` stands for a moment that nothing is known of. */
export function personOf(fileId: string, email: string, fields: Fields, today: string) {
  const name = fields.text(["name", "displayName", "username"], { max: 100, lines: "one" });
  const [localPart = ""] = email.split("@");
  if (name === null) fields.change("name", null, localPart, "nobody goes without a name");
  const status = fields.word(["accountStatus"], { words: ACCOUNT_STATUSES, fallback: "active", unknown: "inactive" });
  const erasedAt = fields.instant(["erasedAt"], { fallback: () => null });
  return {
    id: keptId(fileId, "user"),
    name: name ?? localPart.slice(0, 100),
    displayName: fields.text(["displayName"], { max: 100, lines: "one" }),
    username: fields.text(["username"], { max: 100, lines: "one" }),
    mobile: fields.text(["mobile"], { max: 20, lines: "one" }),
    age: fields.checked(["age"], profileSchema.shape.age) ?? null,
    address: fields.text(["address"], { max: 500, lines: "many" }) ?? DEFAULT_ADDRESS,
    profileImgLink: pictureOf(fields),
    agreeToTerms: fields.flag("agreeToTerms") ?? false,
    accountType: fields.word(["accountType"], { words: ACCOUNT_TYPES, fallback: "user", unknown: "user" }),
    // Whoever was erased stays so: no account that can be activated again.
    accountStatus: erasedAt === null ? status : "inactive",
    accessLevel: fields.text(["accessLevel"], { max: 100, lines: "one" }),
    createdAt: fields.instant(["createdAt"], { fallback: () => today }),
    erasedAt,
  };
}

/** Kept until its person has been told that pictures on other sites are not shown. */
function pictureOf(fields: Fields): string | null {
  const given = fields.given("profileImgLink");
  // An uploaded one comes with the files.
  if (given === undefined || (typeof given === "string" && given.startsWith(PHOTO_PATH))) return null;
  const link = webLinkSchema.safeParse(given);
  if (link.success) fields.change("profileImgLink", given, null, "pictures on other sites are not shown");
  else fields.drop("profileImgLink", given, "a picture is uploaded by its person");
  return link.success ? link.data : null;
}
