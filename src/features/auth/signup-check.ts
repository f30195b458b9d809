import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { signUpSchema } from "@server/contract/accounts";
import { AUTH_MESSAGES } from "@server/contract/messages/auth";

/*
 * The rules of /signup: with the schema library they are a fifth of its code, and come when somebody begins to fill it in.
 */

const bySchema = standardSchemaResolver(signUpSchema);

/** The schema compares the passwords once every field is right by itself; a reader wants to know at once. */
export const checkSignUp: typeof bySchema = async (values, context, options) => {
  const result = await bySchema(values, context, options);
  const { password, confirmPassword } = values;
  if (confirmPassword === "" || confirmPassword === password || "confirmPassword" in result.errors) return result;
  const mismatch = { type: "custom", message: AUTH_MESSAGES.passwordsDiffer };
  return { values: {}, errors: { ...result.errors, confirmPassword: mismatch } };
};
