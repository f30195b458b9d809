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
const MAX_SHIFT = 0.02;

for (const { path, email, standing, maxRequests } of LANDINGS) {
  test(`${path} comes in at most ${maxRequests} requests, its scripts in ${MAX_DEPTH} steps, and nothing moves`, async ({
    page,
  }) => {
    if (email) await authenticate(page, email);
    const { requests, scriptDepth, calls, shift, shifted } = await firstLoad(page, { path, standing });
    expect(scriptDepth).toBeLessThanOrEqual(MAX_DEPTH);
    expect(requests.length, requests.join("\n")).toBeLessThanOrEqual(maxRequests);
    expect(shift, shifted.join("\n")).toBeLessThan(MAX_SHIFT);
    // Behind sign-in the lists are still read again when their streams have started.
    if (!email) expect(calls).toEqual([...new Set(calls)]);
  });
}
