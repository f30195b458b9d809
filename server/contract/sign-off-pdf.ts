export const SIGN_OFFS_PATH = "/api/sign-offs";

/** Where a sign-off is as a PDF. */
export function signOffPdfPath(signOffId: string): string {
  return `${SIGN_OFFS_PATH}/${signOffId}.pdf`;
}
