import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { signUpSchema } from "@server/contract/accounts";
import { PASSWORD_MESSAGES } from "@server/contract/messages/passwords";

/*
 * The rules of /signup. With the schema library they are a fifth of its code, so they load when the form gets focus.
 */

const bySchema = standardSchemaResolver(signUpSchema);

/** The schema compares the passwords only once every field is valid; this reports a mismatch at once. */
export const checkSignUp: typeof bySchema = async (values, context, options) => {
  const result = await bySchema(values, context, options);
  const { password, confirmPassword } = values;
  if (confirmPassword === "" || confirmPassword === password || "confirmPassword" in result.errors) return result;
  const mismatch = { type: "custom", message: PASSWORD_MESSAGES.passwordsDiffer };
  return { values: {}, errors: { ...result.errors, confirmPassword: mismatch } };
};
