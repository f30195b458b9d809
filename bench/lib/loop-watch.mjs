// Loaded into a server by NODE_OPTIONS: on SIGUSR2 it writes the longest block of the event loop since the last time, in
// milliseconds, to the file that LOOP_REPORT names.
import { renameSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION_MS = 1;
const file = process.env.LOOP_REPORT;

if (file) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  process.on("SIGUSR2", () => {
    const milliseconds = delays.max / 1e6;
    delays.reset();
    writeFileSync(`${file}.part`, String(milliseconds));
    renameSync(`${file}.part`, file);
  });
}
