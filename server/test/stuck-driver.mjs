// Preloaded by watchdog-process.test.ts: a driver that forgets its calls, and a clock that leaps at each SIGUSR2.
import { Query } from "../../node_modules/postgres/src/query.js";

const LEAP_MS = 70_000;

Query.prototype.destroy = () => {};

const now = performance.now.bind(performance);
let leapMs = 0;
performance.now = () => now() + leapMs;
process.on("SIGUSR2", () => {
  leapMs += LEAP_MS;
});
