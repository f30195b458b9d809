import { launchBrowser, visitSlowly } from "./lib/browser";
import { spread } from "./lib/measure";
import { startRig } from "./lib/rig";

/*
 * How soon a visitor reads a public page: largest contentful paint in a cold browser, on a processor four times slower than this
 * one, over 1.6 Mbit/s with 150 ms to the server and back, and what shifts meanwhile. Wanted: 1.8 s, 0.02. The server shares
 * the two cores.
 */

const PAGES = ["/", "/careers", "/kartavya", "/privacy-policy-kartavya"];
const ROUNDS = 5;

const rig = await startRig({ withFloor: false });
const browser = await launchBrowser();
try {
  const measured = new Map<string, { lcp: number[]; fcp: number[]; shift: number }>();
  for (const path of PAGES) measured.set(path, { lcp: [], fcp: [], shift: 0 });
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [path, sums] of measured) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const { lcp, fcp, shift } = await visitSlowly(context, `${rig.server.url}${path}`);
      await context.close();
      if (lcp !== null) sums.lcp.push(lcp);
      sums.fcp.push(fcp);
      sums.shift = Math.max(sums.shift, shift);
    }
  }
  for (const [path, { lcp, fcp, shift }] of measured) {
    console.log(
      `${path}: largest contentful paint ${spread(lcp)} ms, first ${spread(fcp)}, ${ROUNDS} cold visits; wanted: under 1800. Shifts at most ${shift.toFixed(4)}; wanted: under 0.02`,
    );
  }
} finally {
  await browser.close();
  await rig.close();
}
