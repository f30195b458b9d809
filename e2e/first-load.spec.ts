import { firstLoad } from "./first-load";
import { expect, test } from "./fixtures";
import { authenticate } from "./pages/account";

/** The pages that one lands on first, with what stands on them last. */
const LANDINGS = [
  { path: "/login", email: null, standing: "form button[type=submit]", maxRequests: 12 },
  { path: "/dashboard", email: "rohan@sangam.example", standing: "main article", maxRequests: 25 },
  { path: "/admin", email: "asha@sangam.example", standing: "main article", maxRequests: 25 },
  { path: "/client", email: "meera@sangam.example", standing: "main article", maxRequests: 25 },
];
/** Scripts, one after the other, after the document. */
const MAX_DEPTH = 3;

for (const { path, email, standing, maxRequests } of LANDINGS) {
  test(`${path} comes in at most ${maxRequests} requests, its scripts in ${MAX_DEPTH} steps`, async ({ page }) => {
    if (email) await authenticate(page, email);
    const { requests, scriptDepth } = await firstLoad(page, { path, standing });
    expect(scriptDepth).toBeLessThanOrEqual(MAX_DEPTH);
    expect(requests.length, requests.join("\n")).toBeLessThanOrEqual(maxRequests);
  });
}
