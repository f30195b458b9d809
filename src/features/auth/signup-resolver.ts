import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { signUpSchema } from "@server/contract/accounts";
import { AUTH_MESSAGES } from "@server/contract/messages/auth";

const bySchema = standardSchemaResolver(signUpSchema);

/**
 * The rules of the sign-up form. The schema compares the passwords once every field is right by itself; a reader wants to know
 * at once.
 */
export const resolveSignUp: typeof bySchema = async (values, context, options) => {
  const result = await bySchema(values, context, options);
  const { password, confirmPassword } = values;
  if (confirmPassword === "" || confirmPassword === password || "confirmPassword" in result.errors) return result;
  const mismatch = { type: "custom", message: AUTH_MESSAGES.passwordsDiffer };
  return { values: {}, errors: { ...result.errors, confirmPassword: mismatch } };
};
