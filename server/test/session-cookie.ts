import { createHmac } from "node:crypto";

/** Signs sessions where a test gives no other. */
export const SECRET = "a-secret-of-the-tests-that-is-long-enough";

/** The cookie that a browser with this session would send. */
export function sessionCookie(token: string, secret = SECRET): string {
  const signature = createHmac("sha256", secret).update(token).digest("base64");
  return `sangam.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
}
