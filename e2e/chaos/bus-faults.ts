import { setTimeout as sleep } from "node:timers/promises";
import { SAFETY_INTERVAL_MS } from "../../server/realtime/transport";
import type { TestBus } from "../../server/test/bus";
import type { Fault } from "./fault";

/** For what the last wake-up reads and shows, as after any other fault. */
const READ_ALLOWANCE_MS = 5_000;
/** Nobody learns which notifications a bus has lost. */
const SAFETY_BOUND_MS = SAFETY_INTERVAL_MS + READ_ALLOWANCE_MS;

/** What may happen to the bus of a run with `--bus`. */
export function busFaults(bus: TestBus): readonly Fault[] {
  const killBus: Fault = {
    name: "kill-bus",
    servers: 2,
    boundMs: SAFETY_BOUND_MS,
    async strike({ random, isShort }) {
      for (let round = 0; round < (isShort ? 1 : 4); round += 1) {
        await bus.kill();
        await sleep(random.between(0, isShort ? 1_000 : 8_000));
        await bus.start();
        await sleep(random.between(200, 3_000));
      }
    },
  };
  const cutBus: Fault = {
    name: "cut-bus",
    servers: 2,
    boundMs: SAFETY_BOUND_MS,
    async strike({ random, isShort }) {
      for (let round = 0; round < (isShort ? 4 : 20); round += 1) {
        bus.cut();
        await sleep(random.between(50, 1_500));
      }
    },
  };
  /** Silent until everything has been compared: only the safety timer is left. */
  const silentBus: Fault = {
    name: "silent-bus",
    servers: 2,
    boundMs: SAFETY_BOUND_MS,
    async strike({ isShort }) {
      bus.setSilent(true);
      await sleep(isShort ? 3_000 : 20_000);
    },
    heal: async () => bus.setSilent(false),
  };
  return [killBus, cutBus, silentBus];
}
